"""States that are kept in double precision, whatever meets them. ``h + rate * (x[t] - h)`` and
``0.99 * h * (1 - done[t])`` are then computed in double precision, while ``rate * x[t]``,
``1 - rate`` and ``0.99 * (1 - done[t])`` for all steps are as precise as what they read."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from auditor.algebra.states import Dependence
from auditor.notation import Apply, Carry, Read, Term, Value, walk

_DOUBLE = ("float64", "complex128")
_SUMS, _PRODUCTS = ("add", "sub"), ("mul", "div")


def put_together(steps: Iterable[tuple[Carry, Value | None, Term]]) -> str | None:
    """The state, by its name, whose coefficients are put together of what may be less precise:
    ``steps`` are the carried values, what they start as, and what a step makes of them."""
    for carry, start, update in steps:
        if start is None or start.library != "torch" or start.dtype not in _DOUBLE:
            continue
        met = [*_met(update, carry)]
        for ops in (_SUMS, _PRODUCTS):
            beside = [term for op, term, _ in met if op in ops]
            if len(beside) > 1 and any(_narrow(term, start.dtype) for term in beside):
                return carry.name
        if any(scaled and _narrow(term, start.dtype) for op, term, scaled in met if op in _SUMS):
            return carry.name
    return None


def _met(term: Term, carry: Carry, scaled: bool = False) -> Iterator[tuple[str, Term, bool]]:
    """What the state meets within a term, by which operation, and whether the result is then
    multiplied."""
    if not isinstance(term, Apply):
        return
    holds = [Dependence().mentions(arg, [carry.state]) for arg in term.args]
    for arg, held in zip(term.args, holds, strict=True):
        if held:
            yield from _met(arg, carry, scaled or term.op in _PRODUCTS)
        elif term.op in (*_SUMS, *_PRODUCTS) and any(holds) and not _of_states(arg):
            yield term.op, arg, scaled


def _of_states(term: Term) -> bool:
    """Whether a term is another state's part of a step."""
    return any(isinstance(node, Read) and node.value.kind == "state" for node in walk(term))


def _narrow(term: Term, dtype: str) -> bool:
    """Whether a term reads an array that may be of another type."""
    values = (node.value for node in walk(term) if isinstance(node, Read))
    return any(value.library != "python" and value.dtype != dtype for value in values)
