"""States that a loop keeps at every step and that one expression behind it sums over.

``hs = torch.stack(hs, dim=1)`` and then ``(hs @ C.unsqueeze(-1)).squeeze(-1)`` reads out at every
step what the loop could have read out itself: the list of states then need not exist.
"""

from __future__ import annotations

import ast
from dataclasses import dataclass, replace

from auditor.notation import Apply, Index, Read, Reduce, Term, Trace, Value, definition, substitute
from auditor.recurrences.recurrence import LoopRegion
from auditor.recurrences.stacked_lists import Stacked, stacked_lists
from auditor.tree import everything_in
from auditor.verdict import Edit


@dataclass(frozen=True)
class ReadLater:
    """``element`` is what is read out at a step; ``stacked`` stands for the expression that reads
    it as if that were the stack of a list of such. ``between`` gives the states their array;
    ``naming`` gives the expression the name that it has in ``stacked``."""

    element: Reduce
    stacked: Stacked
    between: ast.stmt | None
    naming: ast.stmt | None

    def edits(self, region: LoopRegion, edits: tuple[Edit, ...]) -> tuple[Edit, ...]:
        """The edits, with the list of states and what binds their array gone as well."""
        gone = [s for s in (self.between, self.naming) if s is not None]
        more = [region.drop(statement) for statement in gone]
        (name,) = region.loop.lists
        more += region.drop_binding(name, (region.node, self.stacked.call, *gone))
        spans = {edit.span for edit in edits}
        if self.naming is not None:
            read = region.module.span(self.stacked.call)
            edits = tuple(edit for edit in edits if edit.span != read)
        return tuple(sorted([*edits, *(edit for edit in more if edit.span not in spans)]))


def read_later(region: LoopRegion) -> ReadLater | None:
    """The one expression that reads the states of a loop that keeps nothing else. Raises
    ``Refused`` where the list is used otherwise."""
    script = isinstance(region.lifted.node, ast.Module)
    if len(region.loop.lists) != 1 or region.loop.written or script:
        return None
    ((_, items),) = region.loop.lists.items()
    kept = items.element
    if not (isinstance(kept, Trace) and kept.step is region.step and kept.subs == items.axes):
        return None
    (stacked,) = stacked_lists(region)
    array = region.values.get(stacked.call)
    statement = region.statement_of(stacked.call)
    if not isinstance(array, Value) or stacked.joined is not None or stacked.dropped:
        return None
    found = [
        (node, out)
        for node in everything_in(region.lifted.node)
        if isinstance(node, (ast.Call, ast.BinOp))
        and (out := _read_out(region, node, array, stacked, kept)) is not None
    ]
    whole = [
        (node, out) for node, out in found
        if not any(node is not other and region.within(node, other) for other, _ in found)
    ]  # fmt: skip
    if len(whole) != 1:
        return None
    ((node, (element, axes, position)),) = whole
    inside = region.within(stacked.call, node)
    named = isinstance(statement, ast.Assign) and statement.value is stacked.call
    if not (inside or named) or statement not in region.siblings(region.node):
        return None
    if any(not region.within(load, node) for load in region.reads_of(array)):
        return None
    if region.records_elsewhere(region.node, node):
        return None
    made = replace(items, axes=axes, element=element)
    naming: ast.stmt | None = region.statement_of(node)
    name = _bound_next(region, node, region.node if inside else statement)
    if inside or name is None:
        free = "y" not in {*region.loads, *region.stores}
        naming, name = None, "y" if free else stacked.name
    later = replace(stacked, name=name, items=made, call=node, position=position)
    return ReadLater(element, later, None if inside else statement, naming)


def _bound_next(region: LoopRegion, node: ast.expr, before: ast.stmt) -> str | None:
    """The name that ``node`` gets in the statement right behind ``before``, and the loop."""
    block, statement = region.siblings(region.node), region.statement_of(node)
    place = block.index(region.node)
    if block[place + 1 : place + 3] != [before, statement]:
        return None
    if not (isinstance(statement, ast.Assign) and statement.value is node):
        return None
    target = statement.targets[0]
    return target.id if len(statement.targets) == 1 and isinstance(target, ast.Name) else None


def _read_out(
    region: LoopRegion, node: ast.expr, array: Value, stacked: Stacked, kept: Trace
) -> tuple[Reduce, tuple[Index, ...], int] | None:
    """What is read out at a step, its axes and the place of the steps among those of ``node``,
    where that is a sum over one axis of the states."""
    value = region.values.get(node)
    if not isinstance(value, Value) or value.body is None or len(value.axes) < 2:
        return None
    term: Term | None = value.body
    while isinstance(term, Read) and term.value is not array:
        term = definition(term)
    if not (isinstance(term, Reduce) and term.op == "sum"):
        return None
    factors = _factors(term.body, array)
    reads = [f for f in factors if isinstance(f, Read) and f.value is array]
    if len(reads) != 1:
        return None
    (read,) = reads
    subs = list(read.subs)
    if not all(isinstance(sub, Index) for sub in subs) or len(set(subs)) != len(subs):
        return None
    step = subs.pop(stacked.position)
    if step not in value.axes or {*subs, step} != {*value.axes, term.index}:
        return None
    states = Trace(kept.scan, kept.slot, kept.step, tuple(subs))
    others = [substitute(f, {step: region.step}) for f in factors if f is not read]
    element = Reduce("sum", term.index, Apply("mul", (states, *others)))
    axes = tuple(axis for axis in value.axes if axis is not step)
    return element, axes, value.axes.index(step)


def _factors(term: Term, array: Value) -> list[Term]:
    """The factors of a product, one that is a view of ``array`` as a read of that itself."""
    if isinstance(term, Apply) and term.op == "mul":
        return [factor for arg in term.args for factor in _factors(arg, array)]
    inner: Term | None = term
    while isinstance(inner, Read) and inner.value is not array:
        inner = definition(inner)
    if isinstance(inner, Read):
        return [inner]
    within = _factors(inner, array) if isinstance(inner, Apply) and inner.op == "mul" else []
    held = any(isinstance(factor, Read) and factor.value is array for factor in within)
    return within if held else [term]
