"""What names and attributes mean: bound in the function, in the file, in a library, on an array or
on ``self``."""

from __future__ import annotations

import ast
from dataclasses import replace
from typing import TYPE_CHECKING

from auditor.lift.constant_arrays import constant_array
from auditor.lift.loop_arrays import whole_array
from auditor.lift.module import canonical
from auditor.lift.objects import (
    Cell,
    Function,
    Instance,
    Literal,
    Method,
    Named,
    Obj,
    Partial,
    Record,
    Sequence,
    Shape,
    Told,
    Unknown,
    Written,
)
from auditor.notation import Const, Index, Value
from auditor.syntax import constant, path_of

if TYPE_CHECKING:
    from auditor.lift.lifter import Env, Lifter


_CONSTANTS: dict[str, float] = {
    "math.pi": 3.141592653589793, "math.e": 2.718281828459045, "math.inf": float("inf"),
    "numpy.pi": 3.141592653589793, "numpy.e": 2.718281828459045, "numpy.inf": float("inf"),
    "math.nan": float("nan"), "numpy.nan": float("nan"), "torch.nan": float("nan"),
    "cmath.pi": 3.141592653589793, "cmath.tau": 6.283185307179586,
    "numpy.NINF": float("-inf"), "math.tau": 6.283185307179586,
    "torch.pi": 3.141592653589793, "torch.inf": float("inf"), "torch.e": 2.718281828459045,
}  # fmt: skip

_LIMITS: dict[tuple[str | None, str], float] = {
    ("float64", "max"): 1.7976931348623157e308, ("float64", "min"): -1.7976931348623157e308,
    ("float32", "max"): 3.4028234663852886e38, ("float32", "min"): -3.4028234663852886e38,
    ("float16", "max"): 65504.0, ("float16", "min"): -65504.0,
    ("bfloat16", "max"): 3.3895313892515355e38, ("bfloat16", "min"): -3.3895313892515355e38,
    ("float64", "eps"): 2.220446049250313e-16, ("float32", "eps"): 1.1920928955078125e-07,
    ("float16", "eps"): 0.0009765625, ("bfloat16", "eps"): 0.0078125,
    ("float64", "tiny"): 2.2250738585072014e-308, ("float32", "tiny"): 1.1754943508222875e-38,
}  # fmt: skip

_ABOUT = ("shape", "dtype", "device", "ndim", "size")

_BUILTINS = frozenset(
    ("complex", "divmod", "filter", "open", "input", "breakpoint", "repr", "hash", "id", "callable")
    + ("issubclass", "frozenset", "bytes", "ord", "chr", "format", "vars", "object", "hex", "bin")
    + ("range", "len", "zip", "enumerate", "reversed", "sum", "max", "min", "abs", "float", "int")
    + (
        "bool",
        "list",
        "tuple",
        "map",
        "print",
        "any",
        "all",
        "sorted",
        "pow",
        "round",
        "isinstance",
    )
    + ("hasattr", "getattr", "set", "dict", "str", "iter", "next", "type", "super", "slice")
)


def name_of(lifter: Lifter, node: ast.Name, env: Env) -> Obj:
    if node.id in env:
        return env[node.id]
    return _global(lifter, node.id)


def _global(lifter: Lifter, name: str) -> Obj:
    if name in lifter.local:
        return lifter._leaf(name, name, "free")  # bound in the function, or in one around it
    if name in lifter.module.names:
        return Named(lifter.module.names[name])
    if name in lifter.module.functions:
        return Function(lifter.module.functions[name], {})
    if name in lifter.module.classes:
        return Named(f"class {name}")
    if name in lifter.module.constants:
        bound = lifter.module.constants[name]
        function = _settled_function(lifter, bound)
        if function is not None:
            return function
        written = bound.operand if isinstance(bound, ast.UnaryOp) else bound
        known = lifter.eval(bound, {}) if isinstance(written, ast.Constant) else None
        if isinstance(known, Value):
            leaf = Value(name, (), None, known.dtype, "free", "python")
            return lifter.leaves.setdefault(name, lifter.facts.keep(name, leaf))
        array = constant_array(lifter.module, bound)
        if array is not None and name not in lifter.leaves:
            sizes, library = array
            axes = tuple(
                Index(letter, Const(n)) for letter, n in zip("ijklmnpq", sizes, strict=False)
            )
            lifter.leaves[name] = Value(name, axes, None, None, "free", library)
        if array is not None:
            return lifter.leaves[name]
    if name in _BUILTINS and name not in lifter.module.bound:
        return Named(name)
    return lifter._leaf(name, name, "free")


def _settled_function(lifter: Lifter, node: ast.expr) -> Function | Partial | None:
    """A function that the file names outside of functions: a lambda, or one with constants given
    beforehand."""
    if isinstance(node, ast.Lambda):
        return Function(node, {})
    if not isinstance(node, ast.Call) or path_of(lifter.module, node.func) != "functools.partial":
        return None
    given = [*node.args[1:], *(word.value for word in node.keywords)]
    if not node.args or any(constant(each) is ... for each in given):
        return None
    made = lifter.eval(node, {})
    return made if isinstance(made, Partial) else None


# Modules whose `weight` is a matrix.
_MATRICES = frozenset(("torch.nn.Linear", "torch.nn.Embedding"))


def attribute_of(lifter: Lifter, node: ast.Attribute, env: Env) -> Obj:
    base = lifter.eval(node.value, env)
    lifter.here(node)
    result = attribute(lifter, base, node.attr, node)
    if _runs_code(lifter, base, node.attr, result):
        source = lifter.module.brief(node, 60)
        lifter.effect("call", f"reads `{source}`, which may be a property that does more", node)
    return result


def _runs_code(lifter: Lifter, base: Obj, name: str, result: Obj) -> bool:
    """Whether reading an attribute of an object, of whatever class, may run a property of the file
    that does not merely compute."""
    if name not in lifter.module.properties and not lifter.module.answering:
        return False
    from auditor.lift.tables import known_method
    from auditor.surroundings.purity import changes_when_read

    found = isinstance(result, Method) or (isinstance(result, Value) and result.kind == "attribute")
    own = isinstance(base, Named) and not base.path.startswith("self")
    if not found or own or known_method(name):
        return False
    return changes_when_read(lifter.module, name)


def attribute(lifter: Lifter, base: Obj, name: str, node: ast.expr) -> Obj:
    """``base.name``."""
    if isinstance(base, Named):
        if base.path == "self":
            return _self_attribute(lifter, name)
        path = canonical(f"{base.path}.{name}")
        if path in lifter.module.patched:
            return Named(f"{path}, as the file sets it")
        constant = _CONSTANTS.get(path)
        if constant is not None:
            return lifter.ops.number(constant)
        if path in ("numpy.newaxis",):
            return Literal(None)
        if path.startswith("self."):
            return lifter._leaf(path, path, "attribute")
        return Named(path)
    if isinstance(base, Cell) and name in _ABOUT:
        base = base.array
    if isinstance(base, Written) and name in _ABOUT:
        base = whole_array(lifter, base)
    if isinstance(base, Record) and name in base.fields:
        return base.fields[name]
    if isinstance(base, Instance) and base.path.endswith(".finfo"):
        return _limit(lifter, base, name)
    if isinstance(base, Instance) and base.path.startswith("class "):
        return _member(lifter, base, name)
    if isinstance(base, Instance) and name == "weight" and base.path in _MATRICES and base.name:
        path = f"{base.name}.weight"
        known = lifter.facts.of(path)
        known.rank, known.library = 2, "torch"
        return lifter._leaf(path, path, "attribute")
    if isinstance(base, Instance) and name == "bias" and base.path == "torch.nn.Linear":
        found = _bias(lifter, base)
        if found is not None:
            return found
    if isinstance(base, Value):
        found = _value_attribute(lifter, base, name)
        if found is not None:
            return found
        said = node.value if isinstance(node, ast.Attribute) else None
        if isinstance(said, ast.Name) and said.lineno < lifter.options.get((said.id, name), 0):
            path = f"{said.id}.{name}"
            return lifter._leaf(path, path, "attribute")
    if isinstance(base, Unknown) and base.shaped and name in ("shape", "ndim"):
        return attribute(lifter, lifter._leaf(base.shaped, base.shaped, "opaque"), name, node)
    if isinstance(base, Unknown) and not base.owner:
        return base
    return Method(base, name)


def _bias(lifter: Lifter, layer: Instance) -> Obj | None:
    """What a linear layer adds: a vector, unless it is made without one."""
    asked = layer.keywords.get("bias", layer.args[2] if len(layer.args) > 2 else None)
    if isinstance(asked, Value) and isinstance(asked.body, Const):
        if not asked.body.value:
            return Literal(None)
    elif asked is not None or not layer.name:
        return None
    path = f"{layer.name}.bias"
    known = lifter.facts.of(path)
    known.rank, known.library = 1, "torch"
    return lifter._leaf(path, path, "attribute")


def _limit(lifter: Lifter, finfo: Instance, name: str) -> Obj:
    """``torch.finfo(dtype).min`` and its relatives."""
    dtype = lifter.as_dtype(finfo.args[0]) if finfo.args else None
    if (dtype, name) in _LIMITS:
        return lifter.ops.number(_LIMITS[dtype, name])
    path = f"{finfo.path}(…).{name}"  # no expression: nothing may write it for the code's own words
    leaf = Value(path, (), None, "float", "free", "python")
    return lifter.leaves.setdefault(f"{path} of {dtype}", leaf)


def _self_attribute(lifter: Lifter, name: str) -> Obj:
    if lifter.setting is not None and name in lifter.setting:
        return lifter.setting[name]
    path = f"self.{name}"
    if lifter.klass is not None and lifter.module.settings.computed(lifter.klass.node, name):
        return Named(path)
    known = lifter.attributes.get(name)
    if isinstance(known, Value):
        if not known.axes and known.kind != "attribute":
            leaf = Value(path, (), None, known.dtype, "attribute", "python")
            key = f"{path}@{lifter.epoch}"
            return lifter.leaves.setdefault(key, lifter.facts.keep(key, leaf))
        if known.body is not None or known.kind == "attribute":
            return lifter.leaves.setdefault(f"{path}@{lifter.epoch}", replace(known, name=path))
    if isinstance(known, (Named, Sequence, Instance)):
        return known
    if name == "register_buffer" or (lifter.klass is not None and name in lifter.klass.methods):
        return Named(f"self.{name}")
    if name == "training":
        return lifter.leaves.setdefault(
            "self.training", Value("self.training", (), None, "bool", "attribute", "python")
        )
    return lifter._leaf(path, path, "attribute")


def _member(lifter: Lifter, part: Instance, name: str) -> Obj:
    """An attribute of a part that the constructor made."""
    path = f"{part.name}.{name}"
    known = part.members.get(name)
    if isinstance(known, Value):
        leaf = replace(known, name=path, kind="attribute", library=known.library or "python")
        if not known.axes and known.kind != "attribute":
            leaf = Value(path, (), None, known.dtype, "attribute", "python")
        return lifter.leaves.setdefault(f"{path}@{lifter.epoch}", leaf)
    if isinstance(known, Instance):
        return replace(known, name=path)
    if isinstance(known, (Named, Sequence)):
        return known
    if name in lifter.module.classes[part.path.removeprefix("class ")].methods:
        return Method(part, name)
    return lifter._leaf(path, path, "attribute")


def _value_attribute(lifter: Lifter, value: Value, name: str) -> Obj | None:
    if name == "shape":
        return Shape(value)
    if name == "ndim":
        if lifter.ops.group_of(value) is None:
            return lifter.ops.number(len(value.axes))
        return None
    if name in ("data", "device", "requires_grad", "layout", "itemsize", "grad"):
        return Told(f"{name} of {value.name}")
    if name in ("real", "imag") and value.axes:
        return lifter.ops.pointwise(name, value)
    if name == "dtype":
        known = value.dtype is not None
        return Literal(f"dtype:{value.dtype}") if known else Told(f"dtype:like {value.uid}")
    if name in ("real", "imag"):
        real = value.dtype is not None and not value.dtype.startswith("complex")
        return value if real and name == "real" else lifter.ops.pointwise(name, value)
    if name == "size" and "numpy" in (value.library, None if value.library else lifter.library):
        return lifter.ops.count(value, None)
    if name in ("T", "mT", "H", "mH"):
        if name in ("H", "mH") and (value.dtype or "complex").startswith("complex"):
            return None
        if name in ("T", "H"):
            if lifter.ops.group_of(value) is not None:
                lifter.ops.need_rank(
                    value, 2, f"{lifter.ops.called(value)} has 2 axes, as `.T` says"
                )
            return lifter.ops.permute(value, list(reversed(range(len(value.axes)))))
        return lifter.ops.transpose(value, -1, -2)
    return None
