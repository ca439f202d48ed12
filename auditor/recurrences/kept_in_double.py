"""States that are kept in double precision, whatever meets them: ``h + rate * (x[t] - h)`` is then
computed in double precision, while ``rate * x[t]`` and ``1 - rate`` for all steps are as precise as
``x`` and ``rate`` are."""

from __future__ import annotations

from collections.abc import Iterable

from auditor.algebra.states import Dependence
from auditor.notation import Apply, Carry, Read, Term, Value, walk

_DOUBLE = ("float64", "complex128")


def spread_out(steps: Iterable[tuple[Carry, Value | None, Term]]) -> str | None:
    """The state, by its name, of which a step multiplies a sum with what may be less precise:
    ``steps`` are the carried values, what they start as, and what a step makes of them."""
    for carry, start, update in steps:
        if start is None or start.library != "torch" or start.dtype not in _DOUBLE:
            continue
        if any(_sums(node, carry, start.dtype) for node in walk(update) if _scales(node)):
            return carry.name
    return None


def _scales(node: Term) -> bool:
    return isinstance(node, Apply) and node.op in ("mul", "div")


def _sums(product: Term, carry: Carry, dtype: str) -> bool:
    """Whether a factor is a sum of the state and of arrays that may be of another type."""
    return any(
        isinstance(node, Apply)
        and node.op in ("add", "sub")
        and Dependence().mentions(node, [carry.state])
        and any(
            isinstance(part, Read)
            and part.value is not carry.state
            and part.value.library != "python"
            and part.value.dtype != dtype
            for part in walk(node)
        )
        for node in walk(product)
    )
