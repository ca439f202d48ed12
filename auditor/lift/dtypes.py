"""Which dtype an operation gives, by the rules of each library; None where that is not known."""

from __future__ import annotations

from collections.abc import Sequence as Seq

from auditor.notation import Const, Library, Value

PYTHON_SCALARS = ("bool", "int", "float", "complex")

_BOOLEAN = frozenset({"eq", "ne", "lt", "le", "gt", "ge", "not", "and", "or", "xor"} | {
    "call:isnan", "call:isinf", "call:isfinite", "call:signbit",
})  # fmt: skip
_FLOATING = frozenset({
    "div", "exp", "log", "sqrt", "rsqrt", "sin", "cos", "tan", "tanh", "sinh", "cosh", "sigmoid",
    "softplus", "silu", "gelu", "erf", "log1p", "expm1", "exp2", "log2", "log10", "atan2",
    "logaddexp",
})  # fmt: skip
_INTEGERS = ("int8", "int16", "int32", "int64")
WHOLE = frozenset(("bool", "uint8", *_INTEGERS, "int", "uint16", "uint32", "uint64"))
"""The types of whole numbers, those of Python and NumPy among them."""
UNSIGNED = frozenset(("bool", "uint8", "uint16", "uint32", "uint64"))
"""The types in which nothing is below zero."""
SHORT = frozenset(("bool", "uint8", "int8", "int16", "uint16"))
"""The types of truth values and of integers of less than 32 bits."""
NO_NARROW = "no truth values and no integers narrower than 64 bits"
"""What an array must hold for a library to add it up in its own type, as a loop does."""
NO_WRAPPING = "no unsigned integers and none of 8 or 16 bits"
"""What an array must hold for differences of its elements not to wrap around."""


def fits(op: str) -> str:
    """What an array must hold for a library to fold it (``op``: sum or prod) in its own type, where
    a loop does so from a floating-point number on."""
    return f"no integers whose {'product' if op == 'prod' else 'sum'} exceeds 64 bits"


NUMPY_NAMES = {
    **{name: name for name in (
        "bool", "int8", "int16", "int32", "int64", "uint8", "uint16", "uint32", "uint64",
        "float16", "float32", "float64", "complex64", "complex128",
    )},
    "bool_": "bool", "half": "float16", "single": "float32", "double": "float64",
    "csingle": "complex64", "cdouble": "complex128", "byte": "int8", "short": "int16",
    "intc": "int32", "int_": "int64", "long": "int64", "longlong": "int64", "ubyte": "uint8",
    "ushort": "uint16", "uintc": "uint32", "uint": "uint64", "ulong": "uint64",
    "ulonglong": "uint64",
}  # fmt: skip
"""The types of NumPy, by what it calls them."""
HALF = ("float16", "bfloat16")
_FLOATS = (*HALF, "float32", "float64")
_COMPLEX = ("complex64", "complex128")
_KNOWN = frozenset(("bool", "uint8", *_INTEGERS, *_FLOATS, *_COMPLEX))
_DEFAULT = {
    "torch": {"bool": "bool", "int": "int64", "float": "float32", "complex": "complex64"},
    "numpy": {"bool": "bool", "int": "int64", "float": "float64", "complex": "complex128"},
}


def kind_of(dtype: str) -> int:
    """0 boolean, 1 integer, 2 floating, 3 complex."""
    if dtype == "bool":
        return 0
    if dtype.startswith("complex"):
        return 3
    return 2 if dtype.startswith(("float", "bfloat")) else 1


def library_of(values: Seq[Value]) -> Library | None:
    """The library of a result of ``values``."""
    libraries = [value.library for value in values]
    if "torch" in libraries:
        return "torch"
    if "numpy" in libraries:
        return "numpy"
    return None if None in libraries else "python"


def default_dtype(dtype: str | None, library: Library | None) -> str | None:
    """The dtype of an array made of Python scalars of ``dtype``."""
    if dtype in PYTHON_SCALARS and library in ("torch", "numpy"):
        return _DEFAULT[library][dtype]
    return dtype


def floating(dtype: str | None, library: Library | None) -> str | None:
    """The dtype of a division or an exponential of ``dtype``."""
    if dtype is None or kind_of(dtype) >= 2:
        return dtype
    if library == "python":
        return "float"
    if library == "torch":
        return "float32"
    return "float64" if library == "numpy" and dtype in ("int64", "int32") else None


def summed(dtype: str | None, library: Library | None) -> str | None:
    """The dtype of a sum or product of elements."""
    if library == "python":
        return "int" if dtype == "bool" else dtype
    if dtype in ("bool", *_INTEGERS):
        return "int64"
    return None if dtype == "uint8" and library != "torch" else dtype


def result_dtype(op: str, values: Seq[Value]) -> str | None:
    """The dtype of a pointwise result."""
    if op in _BOOLEAN:
        return "bool"
    library = library_of(values)
    if op == "where":
        values = values[1:]
    dtypes = [value.dtype for value in values]
    if any(dtype is None for dtype in dtypes):
        return None
    if library == "python":
        return _python(op, values)
    if library == "torch":
        best = _torch(values)
    elif library == "numpy":
        best = _numpy(values)
    else:
        return None
    if op in _FLOATING:
        return floating(best, library)
    if op == "abs" and best is not None and best.startswith("complex"):
        return {"complex64": "float32", "complex128": "float64"}.get(best)
    if op in ("reciprocal", "call:trunc") and library == "torch":
        return floating(best, library) if op == "reciprocal" else best
    if op.startswith("call:") and best is not None and kind_of(best) < 2:
        return best if op.startswith("call:bitwise") or op in _SAME else None
    return None if best == "bool" and op not in ("where", "max", "min", "mul", "add") else best


_SAME = frozenset({"call:fmod", "call:fmax", "call:fmin", "call:detach"})


def _python(op: str, values: Seq[Value]) -> str | None:
    kinds = {value.dtype for value in values}
    if not kinds <= set(PYTHON_SCALARS):
        return None
    if op in ("where", "max", "min"):
        return kinds.pop() if len(kinds) == 1 else None
    if op.startswith("call:bitwise"):
        return "int" if kinds <= {"bool", "int"} else None
    if op.startswith("call:"):
        return "float" if kinds <= {"bool", "int", "float"} and op != "call:detach" else None
    best = "complex" if "complex" in kinds else "float" if "float" in kinds else "int"
    if op == "abs":
        return {"complex": "float"}.get(best, best)
    if op in _FLOATING:
        return "complex" if best == "complex" else "float"
    if op == "pow" and best == "int":
        exponent = values[1].body
        known = isinstance(exponent, Const) and isinstance(exponent.value, int)
        return "int" if known and int(exponent.value) >= 0 else None  # type: ignore[union-attr]
    if op == "pow" and best == "float":
        return None  # a negative number to a fraction is complex
    return best


def _torch(values: Seq[Value]) -> str | None:
    """Arrays with axes first, then those without, then Python numbers: each counts only where its
    kind is above what came before."""
    groups: list[list[str]] = [[], [], []]
    for value in values:
        dtype = value.dtype
        assert dtype is not None
        if value.library == "python" and not value.axes:
            if dtype not in PYTHON_SCALARS:
                return None
            groups[2].append(_DEFAULT["torch"][dtype])
        elif dtype not in _KNOWN:
            return None
        else:
            groups[0 if value.axes else 1].append(dtype)
    if any(value.axes and value.axes[0].group and len(value.axes) == 1 for value in values):
        known = {dtype for group in groups[:2] for dtype in group}
        if len(known) > 1:
            return None
    best: str | None = None
    for place, group in enumerate(groups):
        if not group:
            continue
        dtype = group[0]
        for other in group[1:]:
            joined = promoted(dtype, other)
            if joined is None:
                return None
            dtype = joined
        if best is None or kind_of(dtype) > kind_of(best):
            if place == 2 and best in _FLOATS and dtype in _COMPLEX:
                return {"float32": "complex64", "float64": "complex128"}.get(best)
            best = dtype
    return best


def promoted(a: str, b: str) -> str | None:
    """Two dtypes of equal standing in torch."""
    if a == b:
        return a
    if kind_of(a) != kind_of(b):
        high, low = (a, b) if kind_of(a) > kind_of(b) else (b, a)
        if high in _COMPLEX and low == "float64":
            return "complex128"
        return high
    if {a, b} == {"float16", "bfloat16"}:
        return "float32"
    for family in (_INTEGERS, _FLOATS, _COMPLEX):
        if a in family and b in family:
            return family[max(family.index(a), family.index(b))]
    return None


def _numpy(values: Seq[Value]) -> str | None:
    """NumPy 2: Python numbers are weak, everything else promotes."""
    best: str | None = None
    weak: str | None = None
    for value in values:
        dtype = value.dtype
        assert dtype is not None
        if value.library == "python" and not value.axes:
            if dtype not in PYTHON_SCALARS:
                return None
            if weak is None or kind_of(dtype) > kind_of(weak):
                weak = dtype
        elif dtype not in _KNOWN:
            return None
        else:
            best = dtype if best is None else _numpy_promoted(best, dtype)
            if best is None:
                return None
    if best is None:
        return None if weak is None else _DEFAULT["numpy"][weak]
    if weak is None or kind_of(weak) <= kind_of(best):
        return best
    if weak == "complex":
        return "complex64" if best == "float32" else "complex128" if best == "float64" else None
    if weak == "int":
        return "int64"  # of booleans
    return "float64" if best in WHOLE else None


def _numpy_promoted(a: str, b: str) -> str | None:
    if a == b:
        return a
    if kind_of(a) > kind_of(b):
        a, b = b, a
    if a == "bool":
        return b
    for family in (_INTEGERS, _FLOATS, _COMPLEX):
        if a in family and b in family and "bfloat16" not in (a, b):
            return family[max(family.index(a), family.index(b))]
    if {a, b} <= {"uint8", *_INTEGERS}:
        return "int16" if "int8" in (a, b) else b if a == "uint8" else a
    if a in ("int32", "int64") and b in ("float16", "float32", "float64"):
        return "float64"
    if a in ("int8", "uint8", "int16") and b in ("float32", "float64", *_COMPLEX):
        return b
    if b in _COMPLEX:
        return "complex128" if a in ("float64", "int64", "int32") else None
    return None
