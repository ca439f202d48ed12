"""Writes to memory: which values share it, and who may see a change."""

from __future__ import annotations

import ast
from dataclasses import replace
from typing import TYPE_CHECKING

from auditor.lift.arrays import Unsupported
from auditor.lift.objects import Cell, Obj
from auditor.notation import Apply, Read, Value

if TYPE_CHECKING:
    from auditor.lift.lifter import Env, Lifter


def in_place(lifter: Lifter, node: ast.AST, old: Value, new: Obj, env: Env) -> None:
    """``old`` was changed in place and is ``new`` now: an effect when anything else may see
    it. Python numbers are immutable, so that rebinding them is harmless."""
    if old.library == "python" or old.dtype in ("int", "float", "bool", "complex"):
        return
    names = [name for name, obj in env.items() if obj is old]
    start = old
    for loop in lifter.active:
        for name, state in loop.states.items():
            held = loop.before.get(name)
            if state is old and isinstance(held, Value):
                start = held
                names += [other for other, obj in loop.before.items()
                          if obj is held and other != name]  # fmt: skip
    if start.library == "python" and not start.axes:
        return
    shared = lifter.storage(start).kind in ("input", "attribute", "free", "opaque")
    if shared or start in lifter.stored or old in lifter.stored or len(names) > 1:
        lifter.effect("mutation", f"changes `{old.name}` in place", node)
    if isinstance(new, Value):
        lifter.changed.add(new)


def storage(lifter: Lifter, value: Value) -> Value:
    """The value whose memory ``value`` may share: through views, slices and casts that may be
    none."""
    while value.body is not None and value not in lifter.owned:
        body = value.body
        if isinstance(body, Apply) and body.op.startswith("cast:"):
            body = body.args[0]
        if not isinstance(body, Read):
            break
        value = body.value
    return value


def cell_written(lifter: Lifter, cell: Cell, value: Value) -> Cell:
    """The cell after a value was assigned to it: of the cell's shape and dtype."""
    like = cell.value
    axes, (element, _) = lifter.ops.align([value, like])
    if len(axes) != len(like.axes):
        raise Unsupported("a value of another shape is written")
    if like.dtype is not None and value.dtype is not None and like.dtype != value.dtype:
        element = Apply(f"cast:{like.dtype}", (element,))
    dtype = like.dtype or value.dtype
    made = Value(cell.name, axes, element, dtype, "derived", like.library, lifter.ops.span)
    return replace(cell, value=made)
