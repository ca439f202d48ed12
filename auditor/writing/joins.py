"""Choices by the place along an axis, as the arrays that are joined or stacked along it.

``torch.cat((u, v), dim=-1)`` is ``where(d < n, u[d], v[d - n])`` and ``torch.stack((u, v))`` is
``where(s == 0, u, v)``: so they are read, and so they are said again.
"""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

from auditor.lift import extents
from auditor.notation import ZERO, Apply, Const, Index, Term, substitute, walk
from auditor.writing.pieces import CannotRender, Piece, folded

if TYPE_CHECKING:
    from auditor.writing.emit import Renderer


def joined(renderer: Renderer, term: Apply) -> Piece | None:
    """The arrays of a choice side by side, None where it is another choice."""
    axis, word = _chosen_by(term)
    if axis is None or axis.group or axis is renderer.step or axis not in renderer.order:
        return None
    ends, parts = _parts(term, axis, word)
    if word == "eq" and (
        [extents.constant(end) for end in ends] != [*range(len(ends))]
        or axis.extent is not Const(len(parts))
        or any(axis in walk(part) for part in parts)
    ):
        return None
    if word == "lt":
        starts = [ZERO, *ends]
        sizes = [extents.sub(b, a) for a, b in zip(starts, [*ends, axis.extent], strict=True)]
        inner = [Index(axis.name, size) for size in sizes]
        pieces = [
            _laid_out(renderer, part, axis, own, start)
            for part, own, start in zip(parts, inner, starts, strict=True)
        ]
    else:
        pieces = [renderer.array(part) for part in parts]
    axes = [tuple(axis if word == "lt" and a in inner else a for a in p.axes) for p in pieces]
    if len(set(axes)) > 1 or None in axes[0] or any(p.tail for p in pieces):
        raise CannotRender("what is joined has other axes")
    if any(a.group for a in axes[0] if a is not None) or (word == "lt") is not (axis in axes[0]):
        raise CannotRender("what is joined has axes of unknown number")
    order = tuple(a for a in renderer.order if a in axes[0] or a is axis)
    dim = order.index(axis)
    put = renderer.words.joined if word == "lt" else renderer.words.stacked
    return Piece(put([piece.text for piece in pieces], dim), order)


def _chosen_by(term: Term) -> tuple[Index | None, str]:
    """The axis by whose place a choice is made, and how."""
    condition = term.args[0] if isinstance(term, Apply) and term.op == "where" else None
    if isinstance(condition, Apply) and condition.op in ("lt", "eq"):
        place = condition.args[0]
        if isinstance(place, Index):
            return place, condition.op
    return None, ""


def _parts(term: Term, axis: Index, word: str) -> tuple[list[Term], list[Term]]:
    """The places at which choices in a row are made, and what is chosen between."""
    ends: list[Term] = []
    parts: list[Term] = []
    while _chosen_by(term) == (axis, word):
        assert isinstance(term, Apply) and isinstance(term.args[0], Apply)
        ends.append(term.args[0].args[1])
        parts.append(term.args[1])
        term = term.args[2]
    return ends, [*parts, term]


def _laid_out(renderer: Renderer, part: Term, axis: Index, own: Index, start: Term) -> Piece:
    """One part along an axis of its own, which begins at ``start`` of the whole."""
    moved = folded(substitute(part, {axis: extents.add(own, start)}))
    order = tuple(own if a is axis else a for a in renderer.order)
    inside = replace(renderer, order=order)
    piece = inside.arranged(inside.array(moved))
    renderer.uncertain |= inside.uncertain
    return piece
