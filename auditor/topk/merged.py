"""Loops that join more entries to the k best so far at each step and keep the k best again, read
from their notation: however a step spells the join, the piece of the array and the selection."""

from __future__ import annotations

import ast
from dataclasses import dataclass

from auditor.algebra.kept_places import kept_places
from auditor.arrays.wider_start import A_STEP
from auditor.assumed import reason_of
from auditor.lift import extents
from auditor.notation import ONE, Carry, Const, Order, Read, Term
from auditor.recurrences.recurrence import LoopRegion
from auditor.recurrences.walked_tensors import loose_rows, require_tensors, stated_list
from auditor.rewrite import Match, Site


@dataclass(frozen=True)
class _Step:
    """What a step joins: at place ``at`` of ``count`` new entries stands ``entry``."""

    entry: Read
    at: Term
    count: Term
    largest: bool


def merged(site: Site, node: ast.For) -> Match | None:
    """The match of a loop that carries nothing but the k best of all entries of a tensor, or None.
    Raises ``Refused``."""
    loop = site.loop
    if loop is None or loop.blocked or loop.lists or loop.written or loop.unstable:
        return None
    if len(loop.scan.carries) != 1:
        return None
    (carry,) = loop.scan.carries
    if not isinstance(carry.update, Order) or carry.state.library != "torch":
        return None
    if not carry.name.isidentifier():
        return None  # an item of a tuple
    region = LoopRegion(site)
    step = _step(carry, region.inlined(carry.update))
    flat = None if step is None else _covers(region, step)
    if step is None or flat is None:
        return None
    region.check_loop()
    array = region.name_at(step.entry.value, node)
    k = _count(region, carry.state.axes[0].extent, node)
    loose = loose_rows(region, [carry.update])
    listed = any(stated_list(region, value) for value in loose)
    site.require(not listed, "tensors", "a list is walked")
    assumed = [*require_tensors(region, site, carry.update), A_STEP]
    if array is None or k is None:
        return None
    raises = [f"it raises where `{value.name}` is a list" for value in loose]
    held = f"{region.torch_name()}.cat([{carry.name}, {array}{'.flatten()' if flat else ''}])"
    smallest = "" if step.largest else ", largest=False"
    line = f"{carry.name} = streaming_topk({held}, {k}{smallest})[0]"
    edits = (region.replace_lines(node, [line]),)
    return Match(
        span=loop.span,
        message=f"`{carry.name}`: the {k} best so far are selected again at every step, of"
        " those and a few more",
        computation=site.computation,
        edits=edits,
        imports=region.imports("streaming_topk", edits),
        numerics="exact",
        reason=reason_of(region.stated_assumptions(assumed), *raises),
        safe=not raises,
        kernel="auditor.kernels.streaming_topk",
    )


def _step(carry: Carry, update: Term) -> _Step | None:
    found = kept_places(update, carry.state)
    if found is None or len(carry.state.axes) != 1 or carry.state.axes[0].group:
        return None
    if not isinstance(found.entry, Read) or found.entry.aligned:
        return None
    at = extents.sub(found.place, found.first)
    count = extents.sub(found.place.extent, found.kept)
    return _Step(found.entry, at, count, found.largest)


def _covers(region: LoopRegion, step: _Step) -> bool | None:
    """Whether the entries of all steps are an array of more than one axis, or one of one axis:
    each of its elements once. None where they are something else."""
    subs, axes = step.entry.subs, step.entry.value.axes
    if any(axis.group for axis in axes) or step.entry.value.kind == "state":
        return None
    t, same = region.step, region.lifted.facts.extent
    turns = (t, extents.sub(extents.sub(t.extent, ONE), t))
    if len(axes) == 1:
        single = step.count is ONE and same(t.extent) is same(axes[0].extent)
        if single and any(_is(subs[0], turn, step) for turn in turns):
            return False
        extent, count = axes[0].extent, step.count
        parts = [extents.floordiv(extents.add(extent, extents.sub(count, ONE)), count)]
        if (same(extent), same(count)) in region.lifted.facts.divided:
            parts.append(extents.floordiv(extent, count))
        along = extents.add(extents.mul(step.count, t), step.at)
        in_turn = extents.sub(subs[0], along) is Const(0)
        return False if in_turn and same(t.extent) in map(same, parts) else None
    if len(axes) != 2:
        return None
    for rows, columns in ((0, 1), (1, 0)):
        met = same(t.extent) is same(axes[rows].extent)
        fits = same(step.count) is same(axes[columns].extent)
        if met and fits and subs[rows] in turns and _is(subs[columns], Const(0), step):
            return True
    return None


def _is(sub: Term, start: Term, step: _Step) -> bool:
    """Whether a subscript counts the entries of a step from ``start`` on."""
    from_start = extents.sub(sub, extents.add(start, step.at))
    return from_start is Const(0) or (step.count is ONE and sub is start)


def _count(region: LoopRegion, k: Term, node: ast.For) -> str | None:
    """How many are kept, as code in front of the loop."""
    if isinstance(k, Const):
        return str(k.value)
    if isinstance(k, Read) and not k.subs:
        return region.name_at(k.value, node)
    return region.scalar_at(k, node)
