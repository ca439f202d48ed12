"""Reductions over an axis that is several laid out as one, as reductions over these.

sum_c f(x[c // w, c % w])  with c < h w     is     sum_i sum_j f(x[i, j])
"""

from __future__ import annotations

from itertools import permutations

from auditor.lift import extents
from auditor.notation import (
    Apply,
    Index,
    Read,
    Reduce,
    Symbol,
    Term,
    free_indices,
    refresh,
    substitute,
    transform,
)

_MOST = 3


def unflattened(term: Term) -> Term:
    """``term`` with its flat reductions over the axes that they are laid out from."""
    return transform(term, _change)


def is_flat(index: Index) -> bool:
    """Whether an index runs over a product of sizes."""
    extent = index.extent
    return (
        isinstance(extent, Apply) and extent.op == "mul" and len(extent.args) <= _MOST
        and all(isinstance(size, Symbol) for size in extent.args)
    )  # fmt: skip


def apart(index: Index, body: Term) -> tuple[tuple[Index, ...], Term] | None:
    """The axes that ``index`` walks in turn, and what ``body`` is in their terms; None where it
    reads anything by the flat place itself."""
    assert isinstance(index.extent, Apply)
    for sizes in permutations(index.extent.args):
        axes = tuple(Index(f"{index.name}{n}", size) for n, size in enumerate(sizes))
        place: Term = axes[0]
        for axis in axes[1:]:
            place = extents.add(extents.mul(place, axis.extent), axis)
        found = _Placed(index, place)
        said = transform(refresh(body), found.change)
        if found.whole and index not in free_indices(said):
            return axes, said
    return None


def _change(node: Term) -> Term:
    if not isinstance(node, Reduce) or not is_flat(node.index):
        return node
    found = apart(node.index, node.body)
    if found is None:
        return node
    axes, body = found
    for axis in reversed(axes):
        body = Reduce(node.op, axis, body)
    return body


class _Placed:
    """Puts a place for an index into subscripts; ``whole`` while each is then another index, or
    has nothing to do with it."""

    def __init__(self, index: Index, place: Term) -> None:
        self._index, self._place = index, place
        self.whole = True

    def change(self, node: Term) -> Term:
        if not isinstance(node, Read):
            return node
        subs = tuple(self._said(sub) for sub in node.subs)
        return Read(node.value, subs, node.aligned)

    def _said(self, sub: Term) -> Term:
        if sub is self._index:
            self.whole = False
        said = transform(substitute(sub, {self._index: self._place}), _integer)
        self.whole &= said is sub or isinstance(said, Index)
        return said


def _integer(node: Term) -> Term:
    if isinstance(node, Apply) and node.op in ("floordiv", "mod"):
        return (extents.floordiv if node.op == "floordiv" else extents.mod)(*node.args)
    return node
