"""Differences that may wrap around: of unsigned and of short integers, before anything makes
floating-point numbers of them."""

from __future__ import annotations

from collections.abc import Iterator

from auditor.algebra.softmax import independent
from auditor.lift.dtypes import SHORT, UNSIGNED, WHOLE
from auditor.notation import Apply, Const, Index, Read, Reduce, Term, Value, definition

_ARITHMETIC = (
    "add sub mul neg where max min abs mod floordiv square floor ceil round sign call:trunc"
    " call:detach call:fmax call:fmin call:fmod"
).split()


def differences(term: Term, axes: tuple[Index, ...]) -> Iterator[Term]:
    """The sums in which what does not move along the axes is taken off an exponent."""
    while isinstance(term, Read) and (inner := definition(term)) is not None:
        term = inner
    if not isinstance(term, Apply):
        return
    moving = [arg for arg in term.args if not independent(arg, *axes)]
    if term.op in ("add", "sub") and len(moving) < len(term.args):
        yield term
    if term.op in ("add", "sub", "mul", "div", "neg") or term.op.startswith("cast:"):
        for arg in moving:
            yield from differences(arg, axes)


def wraps(term: Term) -> list[Value] | None:
    """The arrays because of which a difference may wrap around: where all of them hold unsigned
    integers, of which none is below zero, or short ones. None where the term certainly holds
    others."""
    if isinstance(term, Const):
        return None if isinstance(term.value, float) else []
    if isinstance(term, Read):
        value = term.value
        if typed(value) and value.dtype not in UNSIGNED | SHORT:
            return None if value.axes or value.dtype not in WHOLE else []
        if value.body is None or typed(value):
            return [value] if value.axes else []
        return wraps(value.body)
    if isinstance(term, Reduce):
        return wraps(term.body)
    if not isinstance(term, Apply) or term.op not in _ARITHMETIC:
        return None
    parts = [wraps(arg) for arg in (term.args[1:] if term.op == "where" else term.args)]
    if None in parts:
        return None
    return list(dict.fromkeys(value for part in parts for value in part or ()))


def typed(value: Value) -> bool:
    """Whether the text says of which type a value is."""
    dtype = value.dtype or ""
    return dtype in WHOLE or dtype.startswith(("float", "bfloat", "complex"))
