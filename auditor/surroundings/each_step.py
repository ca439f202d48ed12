"""An expression in the body of a loop, as what it is at each step: what the loop carries is what
the step before left, and what the loop changes otherwise is another array at each step."""

from __future__ import annotations

import ast
from dataclasses import replace
from functools import partial

from auditor.lift.changing import changed
from auditor.lift.inline import inline
from auditor.lift.loop_results import traced
from auditor.lift.loops import Loop
from auditor.notation import Apply, Computation, Index, Read, Term, Value, transform
from auditor.rewrite import Site


def at_each_step(site: Site, computation: Computation) -> Computation:
    """The computation of an expression's site, where that stands in loops."""
    loops = [loop for loop in site.lifted.lifter.loops if _around(loop, computation)]
    if site.loop is not None or computation.scan is not None or not loops:
        return computation
    handed = frozenset(site.lifted.lifter.origins.handed)
    outputs = tuple(
        value if value.body is None else _seen(value, value.body, loops, handed)
        for value in computation.outputs
    )
    return replace(computation, outputs=outputs)


def _around(loop: Loop, computation: Computation) -> bool:
    return isinstance(loop.node, ast.stmt) and loop.span.covers(computation.span)


def _seen(value: Value, body: Term, loops: list[Loop], handed: frozenset[Value]) -> Value:
    """``handed`` are the arrays that calls are given, which may change them."""
    seen = body
    for loop in loops:
        arrays = loop.changing.arrays | handed
        seen = inline(seen, loop.step, loop.changing.stop({}), varying=arrays)
        slots = {carry.state: slot for slot, carry in enumerate(loop.scan.carries)}
        seen = transform(traced(seen, loop.scan, slots, {}), partial(_other, loop, arrays))
    return value if seen is body else replace(value, body=seen)


def _other(loop: Loop, arrays: frozenset[Value], node: Term) -> Term:
    """An element of an array of which no more is known than that it is another one at each step."""
    if not isinstance(node, Read):
        return node
    lost = node.value.kind == "state" and node.value in loop.states.values()
    if not lost and node.value not in arrays:
        return node
    where = tuple(sub for sub in node.subs if not (isinstance(sub, Index) and sub.group))
    return Apply(changed(node.value), (loop.step, *where))
