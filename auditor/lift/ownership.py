"""Writes to memory: which values share it, and who may see a change."""

from __future__ import annotations

import ast
from dataclasses import replace
from typing import TYPE_CHECKING

from auditor.lift import contents
from auditor.lift.arrays import Unsupported
from auditor.lift.objects import Cell, Iteration, Obj, Unknown, Written, arrays_of
from auditor.lift.sharing import beneath
from auditor.notation import Apply, Read, Value

if TYPE_CHECKING:
    from auditor.lift.lifter import Env, Lifter


def _shared(lifter: Lifter, values: frozenset[Value]) -> bool:
    """Whether memory belongs to something outside the function."""
    outside = ("input", "attribute", "free", "opaque")
    leaves = set(lifter.leaves.values())
    return any(value.kind in outside or value in leaves for value in values)


def in_place(lifter: Lifter, node: ast.AST, old: Value, new: Obj, env: Env) -> None:
    """``old`` was changed in place and is ``new`` now: an effect when anything else may see
    it. Python numbers are immutable, so that rebinding them is harmless."""
    if old.library == "python" or old.dtype in ("int", "float", "bool", "complex"):
        return
    memory = lifter.memory(old)
    lifter.overwritten.append((memory, lifter.module.span(node)))
    shared = _shared(lifter, memory)
    given: set[Value] = set()
    names = [name for name, obj in env.items() if holds(lifter, obj, memory)]
    for loop in lifter.active:
        for key, state in loop.states.items():
            if state not in memory:
                continue
            held = loop.before.get(key.partition("[")[0])
            loop.mutated.add(key)
            if not isinstance(held, Value):
                shared |= "[" in key
                continue
            if held.library == "python" and not held.axes:
                continue
            start = lifter.memory(held)
            given.add(held)
            shared |= _shared(lifter, start)
            memory |= start
            names += [other for other, obj in loop.before.items()
                      if other != key and holds(lifter, obj, start)]  # fmt: skip
    contents.written(lifter, node, memory, env)
    stored = any(holds(lifter, value, memory) for value in lifter.stored)
    if shared or stored or len(set(names)) > 1:
        others = len(set(names)) > 1 or _shared(lifter, memory - given)
        reached = ", which other names reach" if others else ""
        lifter.effect("mutation", f"changes `{old.name}` in place{reached}", node)
    if isinstance(new, Value):
        lifter.moved[new] = old


def holds(lifter: Lifter, obj: Obj, memory: frozenset[Value]) -> bool:
    """Whether an object may share the given memory."""
    value = obj.original if isinstance(obj, Written) else obj
    return isinstance(value, Value) and not memory.isdisjoint(lifter.memory(value))


def memory(lifter: Lifter, obj: Obj | None) -> frozenset[Value]:
    """The values whose memory an object may share or hold: through views, slices, casts that may
    be none, choices, changes in place, and what has no notation."""
    found: set[Value] = set()
    seen: set[Value] = set()
    waiting = list(
        lifter.viewed.get(beneath(obj), ())
        if isinstance(obj, (Unknown, Iteration))
        else arrays_of(obj)
    )
    while waiting:
        at = waiting.pop()
        if at in seen:
            continue
        seen.add(at)
        body = at.body
        while isinstance(body, Apply) and body.op.startswith(("cast:", "call:detach")):
            body = body.args[0]
        if at in lifter.moved:
            waiting.append(lifter.moved[at])
        elif isinstance(body, Read) and at not in lifter.owned:
            waiting.append(body.value)
        elif isinstance(body, Apply) and body.op == "where" and at not in lifter.owned:
            found.add(at)
            waiting += [arg.value for arg in body.args[1:] if isinstance(arg, Read)]
        else:
            found.add(at)
            waiting += lifter.viewed.get(at.owner or "", ()) if at.kind == "opaque" else ()
        waiting += lifter.lies_in.get(at, ())
    return frozenset(found)


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
    if isinstance(cell.array, Written) and like.library != "python" and not like.axes:
        if lifter.ops.group_of(value) is not None:
            lifter.ops.need_number(value, f"as an element of `{cell.name}` is set to one")
    axes, (element, _) = lifter.ops.align([value, like])
    if len(axes) != len(like.axes):
        raise Unsupported("a value of another shape is written")
    if like.dtype is not None and value.dtype is not None and like.dtype != value.dtype:
        element = Apply(f"cast:{like.dtype}", (element,))
    dtype = like.dtype or value.dtype
    made = Value(cell.name, axes, element, dtype, "derived", like.library, lifter.ops.span)
    return replace(cell, value=made)
