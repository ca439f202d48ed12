"""Which arrays may hold complex numbers as far as a text says: those have no order, or another one
in each library, and few operations that are one call take them."""

from __future__ import annotations

from auditor.notation import Apply, Read, Reduce, Term, Value, children

NO_COMPLEX = "no complex numbers"
_REAL = frozenset(
    "abs lt le gt ge eq ne and or not xor is floor ceil mod floordiv atan2 call:real call:imag"
    " call:angle call:isnan call:isinf call:isfinite call:signbit".split()
)
"""What gives real numbers of complex ones, or does not take them."""
_ORDERED = frozenset(("max", "min", "argmax", "argmin"))


def maybe_complex(value: Value) -> bool:
    """Whether a value may be complex because of an array of no known type that it is made of."""
    first = value.body
    if first is None or value.dtype is not None:
        return _untold(value)
    waiting, seen = [first], set[Term]()
    while waiting:
        term = waiting.pop()
        if term in seen:
            continue
        seen.add(term)
        if isinstance(term, Read):
            if term.value.dtype is None and term.value.body is not None:
                waiting.append(term.value.body)
            elif _untold(term.value):
                return True
        elif isinstance(term, Apply):
            if term.op not in _REAL and not term.op.startswith("cast:"):
                waiting.extend(term.args[1:] if term.op == "where" else term.args)
        elif not (isinstance(term, Reduce) and term.op in _ORDERED and _of_torch(term)):
            waiting.extend(children(term))
    return False


def _untold(value: Value) -> bool:
    array = bool(value.axes) or value.library in ("torch", "numpy")
    return array and value.library != "python" and value.dtype is None


def _of_torch(term: Reduce) -> bool:
    """Whether it is torch that takes the largest, which it does of real numbers alone."""
    return isinstance(term.body, Read) and term.body.value.library == "torch"
