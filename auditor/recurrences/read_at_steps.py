"""Who reads what a loop carries: its outputs, its other carried values, what comes after it."""

from __future__ import annotations

from typing import TYPE_CHECKING

from auditor.algebra.states import Dependence
from auditor.notation import Apply, Term, Trace, walk

if TYPE_CHECKING:
    from auditor.recurrences.distribution import LoopCode


def read_at_steps(code: LoopCode, slot: int, within: tuple[int, ...]) -> bool:
    """Whether the values of ``slot`` are read by an output or by a carried value other than those
    ``within``."""
    return _carried_on(code, slot, within) or any(
        _is_of(code, node, slot) for element in code.elements() for node in walk(element)
    )


def final_only(code: LoopCode, slot: int) -> bool:
    """Whether nothing but the last value of ``slot`` is read."""
    return code.scan.carries[slot].name in code.finals and not read_at_steps(code, slot, (slot,))


def only_put_down(code: LoopCode, slot: int) -> bool:
    """Whether the values of ``slot`` are written into arrays as they are, whose type they take, and
    nothing else reads them, not even the next step from there."""
    name = code.scan.carries[slot].name
    if code.stacks or name in code.finals or not name.isidentifier():
        return False
    return not _carried_on(code, slot, (slot,)) and not any(
        _is_of(code, node, slot)
        for element in code.elements() if not _is_of(code, _uncast(element), slot)
        for node in walk(element)
    )  # fmt: skip


def _carried_on(code: LoopCode, slot: int, within: tuple[int, ...]) -> bool:
    """Whether a carried value other than those ``within`` reads that of ``slot``."""
    state, mentions = code.scan.carries[slot].state, Dependence().mentions
    return any(
        mentions(carry.update, [state])
        for other, carry in enumerate(code.scan.carries) if other not in within
    )  # fmt: skip


def _uncast(element: Term) -> Term:
    """What is written, in whatever type: an assignment casts."""
    cast = isinstance(element, Apply) and element.op.startswith("cast:")
    return element.args[0] if cast and isinstance(element, Apply) else element


def _is_of(code: LoopCode, term: Term, slot: int) -> bool:
    """Whether a term is the value of ``slot`` at a step."""
    return isinstance(term, Trace) and term.scan is code.scan and term.slot == slot
