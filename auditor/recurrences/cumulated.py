"""Running sums, products and extrema: one cumulative operation, beside what there was before."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

from auditor.arrays.wider_start import (
    A_STEP,
    OtherWidth,
    more_axes,
    told,
    type_of_start,
)
from auditor.notation import (
    Const,
    Index,
)
from auditor.recurrences.extreme_types import begins_at_the_end
from auditor.recurrences.initial_states import start_of
from auditor.recurrences.read_at_steps import read_at_steps
from auditor.recurrences.row_ranks import certain_of_axes
from auditor.writing.emit import Renderer
from auditor.writing.pieces import CannotRender, Piece, UnknownRank

if TYPE_CHECKING:
    from auditor.recurrences.distribution import LoopCode


def cumulate(
    code: LoopCode,
    slot: int,
    kind: str,
    name: str,
    renderer: Renderer,
    moving: Piece,
    order: tuple[Index, ...],
) -> None:
    """A running sum, product or extremum as one cumulative operation, the start beside it."""
    code._need(moving, order)
    final = code.final_name(slot)
    dim = code.layouts.dim(order)
    start = start_of(code, code.scan.carries[slot].name)
    text = moving.inside(6)
    if read_at_steps(code, slot, (slot,)):
        words = code.region.words
        steps = words.flipped(text, dim) if code.reverse else text
        steps = words.cumulated(steps, kind, dim)
        steps = words.flipped(steps, dim) if code.reverse else steps
        whole = _begun(code, kind, slot, start, renderer, steps, order)
        code._introduce(name, whole)
        code.prefixes += 1
    if final is not None:
        if kind in ("max", "min"):
            raise CannotRender(f"the last `{final}` is used, and the loop may take no step")
        if A_STEP not in code.assumptions and not isinstance(code.step.extent, Const):
            # without steps the loop leaves the start itself, in its own type
            code.assumptions.append(A_STEP)
        rest = tuple(axis for axis in order if axis is not code.step)
        whole = _begun(code, kind, slot, start, renderer, f"{text}.{kind}({dim})", rest)
        code.lines.append(f"{final} = {whole}")


def _begun(
    code: LoopCode,
    kind: str,
    slot: int,
    start: Piece | None,
    renderer: Renderer,
    text: str,
    axes: tuple[Index, ...],
) -> str:
    """What is folded of the steps, with what there was before them."""
    unit = {"sum": "0", "prod": "1", "max": 'float("-inf")', "min": 'float("inf")'}[kind]
    if kind == "sum" and start is None:
        return text
    if start is None:
        start = Piece("0", ())
    if begins_at_the_end(code.region, slot, kind) and code.region.of_numpy:
        return text
    if start.text in (unit, unit.replace("0", "0.0").replace("1", "1.0")) and kind != "sum":
        return text
    if start.axes and axes[0] is not code.step:
        state = code.scan.carries[slot].state.axes
        mine = state[len(state) - len(start.axes) :]
        if len(mine) < len(state) and any(axis.group for axis in mine):
            raise UnknownRank("the start may have axes before those of unknown number")
        if [axis.group for axis in mine] != [bool(a and a.group) for a in start.axes]:
            raise CannotRender("the number of axes of the start is not known")
        start = renderer.spread(replace(start, axes=mine), axes)
    if kind in ("sum", "prod"):
        if start.axes or not start.text[:1].isdigit():
            text = widened(code, slot, text)
        word, strength = (" + ", 2) if kind == "sum" else (" * ", 3)
        return f"{start.inside(strength)}{word}{text}"
    words = code.region.words
    if not start.axes and not start.text.isidentifier():
        return (
            words.at_least(text, start.text) if kind == "max" else words.at_most(text, start.text)
        )
    if not start.axes and not code.region.of_numpy:
        raise CannotRender("the start may be a number or a tensor")
    return f"{words.function(kind)}({start.text}, {text})"


def widened(code: LoopCode, slot: int, text: str) -> str:
    """The sum ``text`` in the type that the loop adds it up in."""
    carry = code.scan.carries[slot]
    name, start = carry.name, code.region.init_of(carry.name)
    if start is None:
        return text
    stated = type_of_start(name, start)
    binding = code.region.binding_before(code.region.node, name)
    known = not any(axis.group for axis in carry.state.axes)
    rank = len(carry.state.axes) if known else None
    try:
        found = told(text, name, start, binding.value if binding else None, [], rank,
                     code.region.words.module)  # fmt: skip
    except OtherWidth as problem:
        raise CannotRender(str(problem)) from None
    if found is not None:
        text, stated = found[0], [*found[1:]]
    if not certain_of_axes(code, slot):
        stated.append(more_axes(name))
    code.assumptions.extend(s for s in stated if s and s not in code.assumptions)
    return text
