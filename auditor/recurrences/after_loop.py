"""What is read after a loop: last values that it carries, and names that it merely leaves bound."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator
from typing import TYPE_CHECKING

from auditor.assumed import listed
from auditor.folds.kept_parts import seen_as_a_part
from auditor.notation import Apply, Read, Scan, Term, Trace, Value, definition, walk
from auditor.syntax import path_of
from auditor.tree import everything_in

if TYPE_CHECKING:
    from auditor.recurrences.recurrence import LoopRegion


def finals(region: LoopRegion) -> list[str]:
    """Carried names whose last value is read after the loop."""
    return [
        name
        for name, result in region.loop.results.items()
        if name not in region.loop.written
        and (
            region.reads_of(result, (region.node,))
            or region.read_after(region.node, name, lambda load: _may_be(region, load))
            or region.comes_round(region.node, name)
            or _captured(region, name)
            or isinstance(region.lifted.node, ast.Module)
        )
    ]


def left_otherwise(region: LoopRegion, name: str) -> list[str]:
    """What is said of a carried value that the loop leaves in another form than a scan does."""
    return [*_kept_apart(region, name), *_without_axes(region, name)]


def _without_axes(region: LoopRegion, name: str) -> list[str]:
    """What ``np.where`` gives of numbers is an array without axes, what a scan leaves a number."""
    axes = [axis for c in region.scan.carries if c.name == name for axis in c.state.axes]
    if not all(axis.group for axis in axes) or not _is_choice(region.final_element(name)):
        return []
    calls = (node for node in everything_in(region.node) if isinstance(node, ast.Call))
    if not any(path_of(region.module, call.func) == "numpy.where" for call in calls):
        return []
    return [f"whether `{name}` is a number or an array without axes is the same to what reads it"]


def _is_choice(term: Term | None) -> bool:
    """Whether a term is one of two values, by whatever names."""
    while isinstance(term, Read):
        term = definition(term)
    return isinstance(term, Apply) and term.op == "where"


def _kept_apart(region: LoopRegion, name: str) -> list[str]:
    """What is assumed of a carried value that the loop may leave as an item of an array, whose
    memory it has: a scan makes one of its own, as ``torch.where`` does."""
    chosen = any(isinstance(node, (ast.If, ast.IfExp)) for node in everything_in(region.node))
    if not chosen or not seen_as_a_part(region, region.node, name.partition("[")[0]):
        return []
    held = [value for value in _left_as_it_is(region.final_element(name)) if value.axes]
    if not held:
        return []
    arrays = listed(f"`{value.name}`" for value in held)
    left = f"`{name}`, which the loop may leave as a part of {arrays}"
    return [f"{left}, is not written into later, and neither is {arrays}"]


def _left_as_it_is(term: Term) -> Iterator[Value]:
    """The arrays that were given of which an element may be all of a term."""
    if isinstance(term, Apply) and term.op == "where":
        for branch in term.args[1:]:
            yield from _left_as_it_is(branch)
    elif isinstance(term, Read):
        inner = definition(term)
        if inner is not None:
            yield from _left_as_it_is(inner)
        elif term.value.kind in ("input", "attribute"):
            yield term.value


def _may_be(region: LoopRegion, load: ast.Name) -> bool:
    """Whether a read may be what the loop left: where branches meet, it is one of several values,
    and nothing may be known of it."""
    held = region.values.get(load)
    if not isinstance(held, Value) or held.body is None:
        return True
    return _rests_on(held, region.scan)


def _rests_on(value: Value, scan: Scan) -> bool:
    """Whether a value is made of what a loop left, through any number of definitions."""
    waiting, seen = [value], {value}
    while waiting:
        body = waiting.pop().body
        for part in walk(body) if body is not None else ():
            if isinstance(part, Trace) and part.scan is scan:
                return True
            if isinstance(part, Read) and part.value not in seen:
                seen.add(part.value)
                waiting.append(part.value)
    return False


def _captured(region: LoopRegion, name: str) -> bool:
    """Read by a nested function, which may run after the loop."""
    return any(
        isinstance(load.ctx, ast.Load) and load not in region.values
        for load in region.reads_outside(name, (region.node,))
    )


def leaks(region: LoopRegion) -> str | None:
    """A temporary or loop variable of the body that is read after the loop."""
    names = set(region.loop.temporaries)
    # a tuple that is carried item by item: no one name holds what it is afterwards
    names |= {key.partition("[")[0] for key in region.loop.states if re.search(r"\[\d+\]$", key)}
    if isinstance(region.node, ast.For):
        names |= {n.id for n in everything_in(region.node.target) if isinstance(n, ast.Name)}
    if region.loop.counter is not None:
        names.add(region.loop.counter)
    return next((name for name in sorted(names) if region.read_after(region.node, name)), None)
