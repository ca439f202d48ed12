"""Choices by the number of the step that are another one at the first or the last step only."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from auditor.lift import extents
from auditor.notation import (
    ONE,
    ZERO,
    Apply,
    Const,
    Index,
    Read,
    Term,
    definition,
    substitute,
    transform,
    walk,
)
from auditor.writing.pieces import CannotRender, Piece, folded

if TYPE_CHECKING:
    from auditor.writing.emit import Renderer


def at_the_boundary(renderer: Renderer, term: Apply) -> Piece | None:
    """A choice by the step's number that differs at the last or first step only: everything
    shifted by one, then the one element set."""
    condition, then, otherwise = term.args
    if renderer.step is None:
        return None
    for end in (ZERO, extents.sub(renderer.step.extent, ONE)):
        first = step_is(condition, renderer.step, end)
        if first is not None:
            then, otherwise = (then, otherwise) if first else (otherwise, then)
            condition = Apply("eq", (renderer.step, end))
            break
    if not isinstance(condition, Apply) or len(condition.args) != 2:
        return None
    place = extents.sub(*condition.args)
    factor = extents.polynomial(place).get((renderer.step,), 0)
    if condition.op != "eq" or factor not in (1, -1):
        return None
    place = place if factor == 1 else extents.neg(place)
    at = extents.sub(renderer.step, place)
    parted = _parted(renderer, then, otherwise, at)
    if parted is not None:
        return parted
    last = extents.sub(renderer.step.extent, ONE)
    if at is ZERO:
        where, shift = "0", 1
    elif at is last:
        where, shift = "-1", -1
    else:
        return None
    names = {
        side.value.name if isinstance(side, Read) and renderer.keeps(side.value) else None
        for side in (then, otherwise)
    }
    name = (names.pop() if len(names) == 1 else None) or renderer.naming
    renderer.known[term] = _shifted(renderer, name, then, otherwise, where, shift)
    return renderer.known[term]


def _parted(renderer: Renderer, then: Term, rest: Term, at: Term) -> Piece | None:
    """A choice at the first or last step, where both sides may be read at all of them: one
    step of the one beside all other steps of the other."""
    assert renderer.step is not None
    last = extents.sub(renderer.step.extent, ONE)
    if at is not ZERO and at is not last:
        return None
    then, rest = _defined(renderer, then), _defined(renderer, rest)
    reads = [node for node in walk(rest) if isinstance(node, Read)]
    if any(
        renderer.step in walk(sub) and sub is not renderer.step for r in reads for sub in r.subs
    ):
        return None
    moving = {(r.value, p) for r in reads for p, sub in enumerate(r.subs) if sub is renderer.step}
    fixed = at if at is ZERO else extents.canonical(last)

    def follow(node: Term) -> Term:
        if not isinstance(node, Read):
            return node
        subs = tuple(
            renderer.step if (node.value, p) in moving and sub is fixed else sub
            for p, sub in enumerate(node.subs)
        )
        return Read(node.value, subs, node.aligned)  # type: ignore[arg-type]

    edge, whole = renderer.array(transform(then, follow)), renderer.array(rest)
    if edge.axes != whole.axes or renderer.step not in whole.axes or None in whole.axes:
        return None
    position = whole.axes.index(renderer.step)
    if any(axis is not None and axis.group for axis in whole.axes[:position]):
        return None
    lead = ":, " * position
    one, others = (":1", "1:") if at is ZERO else ("-1:", ":-1")
    parts = [f"{edge.inside(6)}[{lead}{one}]", f"{whole.inside(6)}[{lead}{others}]"]
    if at is not ZERO:
        parts.reverse()
    return Piece(renderer.words.joined(parts, position), whole.axes)


def _shifted(
    renderer: Renderer, name: str | None, then: Term, rest: Term, where: str, shift: int
) -> Piece:
    assert renderer.step is not None
    then, rest = _defined(renderer, then), _defined(renderer, rest)
    if renderer.step in walk(then):
        raise CannotRender("the value at the boundary moves with the loop")
    if not _there(renderer, rest, shift):
        raise CannotRender("what stands beside the boundary is not there at all steps")
    moved = substitute(rest, {renderer.step: extents.add(renderer.step, Const(shift))})
    whole = renderer.array(folded(moved))
    if renderer.step not in whole.axes:
        raise CannotRender("a choice between values that do not move with the loop")
    edge = renderer.array(then)
    position = whole.axes.index(renderer.step)
    if any(axis is not None and axis.group for axis in whole.axes[:position]):
        raise CannotRender("the loop's axis has no certain place")
    # of no steps at all a slice sets nothing, where a place would be an error
    text = edge.text
    if position == 0:
        where = "-1:" if where == "-1" else ":1"
    elif edge.axes == tuple(axis for axis in whole.axes if axis is not renderer.step):
        where = "-1:" if where == "-1" else ":1"
        text = renderer.words.with_axis(edge.inside(6), position)
    else:
        renderer.assumptions.append("the loop makes a step")
    rolled = renderer.words.rolled(whole.inside(6), shift, position)
    subs = ", ".join([":"] * position + [where])
    made = (rolled, subs, text)
    if made not in renderer.edges:
        name = _unused_name(renderer, name, whole.text, shift)
        renderer.lines += [f"{name} = {rolled}", f"{name}[{subs}] = {text}"]
        renderer.edges[made] = name
    name = renderer.edges[made]
    names = [f"`{piece}`" for piece in (edge.text, whole.text)]
    renderer.assumptions.append(f"{' and '.join(names)} have the same dtype")
    if renderer.words.library == "torch":
        renderer.assumptions.append(_ZEROS)
    return Piece(name, whole.axes)


_ZEROS = "what a single step never reads has a gradient of zeros, not none"


def _unused_name(renderer: Renderer, name: str | None, whole: str, shift: int) -> str:
    """The name that the body gives a choice, where no other one has it, or a new one."""
    held = {piece.text for piece in renderer.known.values()} | {*renderer.edges.values()}
    if name is not None and name not in held:
        return name
    if renderer.fresh is None:
        raise CannotRender("a choice at the boundary without a name")
    found = re.fullmatch(r"(?:\w+\.)*(\w+)", whole)
    base = found[1] if found is not None else "values"
    return renderer.fresh(f"{base}_{'before' if shift == 1 else 'after'}")


def _there(renderer: Renderer, rest: Term, shift: int) -> bool:
    """Whether what is read at all steps but the first (``shift`` 1) or the last one may be read
    one step further as well: at a place before (behind) the step's own."""
    assert renderer.step is not None
    step = renderer.step
    for read in (node for node in walk(rest) if isinstance(node, Read)):
        for sub in read.subs:
            if step not in walk(sub):
                continue
            ahead = extents.constant(extents.sub(sub, step))
            if ahead is None or ahead * shift >= 0:
                return False
    return True


def _defined(renderer: Renderer, term: Term) -> Term:
    """Everything that the body defines, expanded."""

    def change(part: Term) -> Term:
        if isinstance(part, Read) and renderer.keeps(part.value):
            inner = definition(part)
            if inner is not None:
                return _defined(renderer, renderer.reindex(renderer.opened(inner)))
        return part

    return transform(term, change)


def step_is(condition: Term, step: Index, place: Term) -> bool | None:
    """True where ``condition`` says that the step is the one at ``place``, which is the first or
    the last; False where it says that it is not; None where it says something else."""
    if not isinstance(condition, Apply):
        return None
    if condition.op == "not":
        inner = step_is(condition.args[0], step, place)
        return None if inner is None else not inner
    if condition.op not in _OUTSIDE or len(condition.args) != 2:
        return None
    distance = extents.sub(*condition.args)
    factor = extents.polynomial(distance).get((step,), 0)
    if factor not in (1, -1):
        return None
    op = condition.op
    if factor == -1:
        distance, op = extents.neg(distance), _OUTSIDE[op]
    # The condition is now `step - at <op> 0`.
    at = extents.sub(step, distance)
    if op in ("eq", "ne"):
        return op == "eq" if extents.sub(at, place) is ZERO else None
    beyond = extents.constant(extents.sub(at, place))
    if place is ZERO:
        known = {("le", 0): True, ("lt", 1): True, ("gt", 0): False, ("ge", 1): False}
    else:
        known = {("ge", 0): True, ("gt", -1): True, ("lt", 0): False, ("le", -1): False}
    return known.get((op, beyond)) if beyond is not None else None


_OUTSIDE = {"eq": "eq", "ne": "ne", "lt": "gt", "gt": "lt", "le": "ge", "ge": "le"}


def first_step(condition: Term, step: Index) -> bool | None:
    """Whether a condition says that the step is the first (True) or is not (False)."""
    return step_is(condition, step, ZERO)
