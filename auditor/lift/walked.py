"""Items of what a loop walks that lie in an array which it writes: rows are views, and so another
step may have written one before its own comes to it."""

from __future__ import annotations

from collections.abc import Iterable
from typing import TYPE_CHECKING

from auditor.lift.objects import Cell, Obj, Unknown, Written, arrays_of
from auditor.lift.ownership import holds
from auditor.notation import Read, Value

if TYPE_CHECKING:
    from auditor.lift.lifter import Env, Lifter
    from auditor.lift.loops import Loop


def forget_written(
    lifter: Lifter, loop: Loop, targets: set[str], arrays: Iterable[str], inner: Env
) -> None:
    """Forget the items that lie in ``arrays``, which the loop writes, but for those of which each
    step writes the place itself: these are as they were."""
    for name in sorted(targets):
        items = list(arrays_of(inner.get(name)))
        for array in arrays:
            original = _original(loop.before.get(array))
            if original is None or not any(_moved(lifter, loop, i, array, original) for i in items):
                continue
            reason = f"`{name}` may lie in `{array}`, which the loop writes"
            inner[name] = forgotten = Unknown(reason, loop.span)
            lifter.origins.carried(forgotten)
            break


def _moved(lifter: Lifter, loop: Loop, item: Value, array: str, original: Value) -> bool:
    """Whether another step may write an item: not where each writes the row that it walks."""
    if not holds(lifter, item, lifter.memory(original)):
        return False
    write, body = loop.arrays.get(array), item.body
    row = isinstance(body, Read) and body.value is original and body.subs[:1] == (loop.step,)
    return write is None or write.place is not loop.step or not row


def _original(held: Obj | None) -> Value | None:
    """The array that a name stands for before the loop."""
    if isinstance(held, Cell):
        held = held.array
    if isinstance(held, Written):
        held = held.original
    return held if isinstance(held, Value) else None
