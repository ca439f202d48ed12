"""What carried values start from, as arguments of the calls that replace their loop."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

from auditor.arrays.signs import exists
from auditor.arrays.wider_start import (
    stated_type,
    type_of_start,
)
from auditor.notation import (
    Const,
    Index,
    Read,
)
from auditor.syntax import without_idle
from auditor.writing.pieces import CannotRender, Piece

if TYPE_CHECKING:
    from auditor.recurrences.distribution import LoopCode


def start_text(code: LoopCode, slot: int) -> str:
    """The initial value as code."""
    key = code.scan.carries[slot].name
    start, held = start_of(code, key), code.region.init_of(key)
    if start is None and held is not None and held.library == "torch":
        return code.name_at(held) or "0.0"
    if start is None:
        return "0" if held is not None and held.dtype == "int" else "0.0"
    return start.text


def initial(code: LoopCode, slot: int) -> list[str]:
    """``initial_state=...`` unless the state starts as the number 0."""
    start = start_of(code, code.scan.carries[slot].name)
    flat, axes = code.layouts.flat(slot), code.scan.carries[slot].state.axes
    if start is None:
        _left_out(code, slot)
        return []
    if flat and start.axes:
        items = without_idle(["0" if axis in flat else ":" for axis in axes])
        if any(axis.group for axis in axes[: len(items)]) or len(start.axes) != len(axes):
            raise CannotRender("an axis of size 1 stands among axes of unknown number")
        return [f"initial_state={start.inside(6)}[{', '.join(items)}]"]
    return [f"initial_state={start.text}"]


def _left_out(code: LoopCode, slot: int) -> None:
    """A zero without axes is not written: beside numbers it has a type that counts."""
    carry = code.scan.carries[slot]
    held = code.region.init_of(carry.name)
    if held is not None and held.library == "torch":
        if all(axis.group for axis in carry.state.axes):
            binding = code.region.binding_before(code.region.node, carry.name)
            if stated_type(held, binding.value if binding else None) is not None:
                raise CannotRender(f"`{carry.name}` starts in a type of its own")
            code.assumptions.extend(type_of_start(carry.name, held))


def initial_laid(code: LoopCode, slot: int, laid: tuple[Index, ...]) -> list[str]:
    """``initial_state=...`` with the axes of the state as ``laid``. Raises ``CannotRender``."""
    axes = code.scan.carries[slot].state.axes
    given = initial(code, slot)
    if not given or laid == axes:
        return given
    start = start_of(code, code.scan.carries[slot].name)
    if start is None or len(start.axes) != len(laid):
        raise CannotRender("the initial state has not all its axes")
    words = code.region.words
    moved = [p for p, (a, b) in enumerate(zip(laid, axes, strict=True)) if a is not b]
    if len(moved) == 2:
        return [f"initial_state={words.exchanged(start.inside(6), *moved)}"]
    places = (axes.index(axis) for axis in laid)
    return [f"initial_state={words.permuted(start.inside(6), places)}"]


def turn_back(code: LoopCode, final: str, slot: int, laid: tuple[Index, ...]) -> None:
    """A final state whose axes are as ``laid`` gets its own order again."""
    axes = code.scan.carries[slot].state.axes
    if laid != axes:
        words = code.region.words
        turned = words.permuted(final, (laid.index(axis) for axis in axes))
        code.lines.append(f"{final} = {words.contiguous(turned)}")


def start_of(code: LoopCode, key: str) -> Piece | None:
    """The initial value as code, None for the number 0."""
    start = code.region.init_of(key)
    if start is None:
        raise CannotRender("the initial state has no name")
    if not start.axes and isinstance(start.body, Const) and start.body.value == 0:
        return None
    name = code.name_at(start)
    if name is not None:
        return Piece(name, tuple(start.axes))
    renderer = code.outside(start.axes)
    body = start.body if start.body is not None else Read(start, start.axes)
    piece = renderer.array(body)
    if start.axes and not piece.axes:  # a number has another type and no sizes
        raise CannotRender("the initial state has no name")
    if "[" in key and isinstance(body, Read):
        if not exists(code.region, code.region.node, body):
            code.elements_read.add(f"`{piece.text}` exists")
            code.assumptions.append(f"`{piece.text}` exists")
    return replace(piece, text=code._own(piece))
