"""Carried values that are cast at every step. The cast is left out where it changes nothing: it is
to the type that the value starts in, and no step meets it with a wider one."""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from auditor.algebra.states import Dependence
from auditor.algebra.subterms import everything
from auditor.lift.dtypes import PYTHON_SCALARS, WHOLE, promoted
from auditor.notation import Apply, Carry, Read, Term, Trace, Value, children, definition

_NARROW = frozenset(("float16", "bfloat16"))
_WIDE = frozenset(("float32", "float64", "complex64", "complex128"))
_TRUTHS = frozenset(("eq", "ne", "lt", "le", "gt", "ge", "and", "or", "xor", "not"))

Starts = Mapping[Carry, Value | None]
"""The carried values of a loop, each with what it starts as."""


def cast_to(starts: Starts) -> str | None:
    """A type that a carried value is cast to at every step and may not have before the cast."""
    for carry, dtype in _casts(starts):
        if dtype in _NARROW or dtype in WHOLE:
            return dtype
        start = starts[carry]
        if dtype in _WIDE and (
            start is None
            or dtype != start.dtype
            or any(met is not None and not _fits(met, dtype) for met in _met(starts).values())
        ):
            return dtype
    return None


def supposed(starts: Starts) -> list[str]:
    """What is assumed of the types that nothing tells, where a cast is left out."""
    cast = next((carry.state.name for carry, dtype in _casts(starts) if dtype in _WIDE), None)
    if cast is None:
        return []
    unknown = (name for name, dtype in _met(starts).items() if dtype is None)
    return [f"`{name}` is of no wider type than `{cast}`" for name in unknown]


def _casts(starts: Starts) -> Iterator[tuple[Carry, str]]:
    """The carried values that a step casts, or casts parts of, and the types."""
    mentions, states = Dependence().mentions, [carry.state for carry in starts]
    for carry in starts:
        for node in everything([carry.update]):
            if isinstance(node, Apply) and node.op.startswith("cast:") and mentions(node, states):
                yield carry, node.op.removeprefix("cast:")
        left = carry.state.dtype
        if left and left in _WIDE | _NARROW and _shrinks(starts[carry], carry.state):
            if mentions(carry.update, states):
                yield carry, left


def _met(starts: Starts) -> dict[str, str | None]:
    """What the steps compute with, by name, and its types."""
    mentions, states = Dependence().mentions, [carry.state for carry in starts]
    own = {carry.state: None if start is None else start.dtype for carry, start in starts.items()}
    found: dict[str, str | None] = {}
    waiting: list[Term] = [carry.update for carry in starts]
    while waiting:
        term = waiting.pop()
        if isinstance(term, Read):
            value, inner = term.value, definition(term)
            dtype = own.get(value, value.dtype)
            if inner is not None and (dtype is None or mentions(inner, states)):
                waiting.append(inner)
            elif dtype is not None or value.library != "python":
                found[value.name] = dtype
        elif isinstance(term, Trace):
            waiting += [one for carry in term.scan.carries for one in (carry.init, carry.update)]
        elif not isinstance(term, Apply):
            waiting += children(term)
        elif term.op.startswith("cast:") and not mentions(term, states):
            found[term.op] = term.op.removeprefix("cast:")
        elif term.op not in _TRUTHS:
            waiting += term.args[term.op == "where" :]
    return found


def _shrinks(start: Value | None, state: Value) -> bool:
    """Whether what steps leave may have less than the start has, which none does without a cast."""
    if start is None or start.library == "python" or len(start.axes) < len(state.axes):
        return False
    return start.dtype is None or promoted(start.dtype, state.dtype or "") != state.dtype


def _fits(dtype: str, other: str) -> bool:
    """Whether what has ``dtype`` leaves what has ``other`` in its type."""
    if dtype in PYTHON_SCALARS:
        return dtype != "complex" or other.startswith("complex")
    return dtype not in WHOLE and promoted(dtype, other) == other
