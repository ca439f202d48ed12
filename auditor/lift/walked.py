"""What a loop walks and changes: items that lie in an array which it writes (rows are views, and so
another step may have written one before its own comes to it), and lists that it makes longer."""

from __future__ import annotations

import ast
from collections.abc import Iterable, Iterator
from typing import TYPE_CHECKING

from auditor.lift.call_effects import GROWS
from auditor.lift.changes import changes, dotted
from auditor.lift.objects import Cell, Obj, Unknown, Written, arrays_of
from auditor.lift.ownership import holds
from auditor.notation import Read, Value
from auditor.syntax import called_name

if TYPE_CHECKING:
    from auditor.lift.lifter import Env, Lifter
    from auditor.lift.loops import Loop
    from auditor.lift.module import Module


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


def outgrown(lifter: Lifter, node: ast.For, env: Env) -> str | None:
    """What a loop walks item by item and puts items into or takes some out of meanwhile, under
    whatever name: there are other steps than it began with."""
    known = lifter.module.grown
    if node not in known:
        known[node] = _grown(lifter.module, node)
    grown = known[node]
    if not grown:
        return None
    held = [env[path] for path in grown if path in env]
    return next(
        (path for path in _walked(node.iter)
         if path in grown or any(env.get(path) is other for other in held)),
        None,
    )  # fmt: skip


def _grown(module: Module, node: ast.For) -> frozenset[str]:
    """The paths of what a loop puts items into or takes some out of."""
    done = changes(module, node.body)
    return frozenset(done.grown).union(
        dotted(call.func.value) or "" for call in done.calls
        if isinstance(call.func, ast.Attribute) and call.func.attr in GROWS
    )  # fmt: skip


_STEPWISE = frozenset(("enumerate", "zip", "reversed", "iter", "map", "filter"))
"""What gives the items one by one, as they are by then."""


def _walked(node: ast.expr) -> Iterator[str]:
    """The paths of the lists of which an expression gives the items one by one."""
    path = dotted(node)
    if path is not None:
        yield path
    elif isinstance(node, ast.Call) and called_name(node) in _STEPWISE:
        for arg in node.args:
            yield from _walked(arg)


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
