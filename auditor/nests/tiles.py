"""Loops over tiles, and through them: together they are one loop through all of an axis."""

from __future__ import annotations

from typing import TYPE_CHECKING

from auditor.lift import extents
from auditor.nests.adding import factors, nested_sums, summands
from auditor.nests.integers import NoNest
from auditor.nests.parts import Filled
from auditor.notation import Index, Order, Read, Reduce, Term, free_indices, walk

if TYPE_CHECKING:
    from auditor.nests.expressions import Expressions


def without(term: Term, tile: Index) -> Term:
    """``term``, which must not hold the start of a tile. Raises ``NoNest``."""
    if tile in free_indices(term):
        raise NoNest("computes with the start of a tile")
    return term


def cell_by_cell(reading: Expressions, term: Term, tile: Index) -> Term:
    """``term``, which fills a tile: what it says of a cell must hold of that cell alone, since the
    others of its tile are no longer those around it. Raises ``NoNest``."""
    bound = [node.index for node in walk(term) if isinstance(node, (Reduce, Order))]
    if any(index in reading.walks and reading.walks[index].within is tile for index in bound):
        raise NoNest("a step computes with all of its tile")
    return without(term, tile)


def tiled(reading: Expressions, term: Term, rest: Term, tile: Index) -> Term:
    """A loop over tiles whose steps add what a loop through the tile adds: that one has been
    read as one through all tiles."""
    without(term, tile)
    for part in summands(rest):
        inside = [
            node for node in factors(part)
            if isinstance(node, Reduce) and reading.walks[node.index].within is tile
        ]  # fmt: skip
        nested = [
            node for factor in factors(part) if isinstance(factor, Reduce)
            for node in nested_sums(factor) if reading.walks[node.index].within is tile
        ]  # fmt: skip
        if len(set(inside) | set(nested)) != 1:
            raise NoNest("a step of a loop over tiles does more than go through its tile")
    return term


def require_whole(reading: Expressions, filled: tuple[Filled, ...]) -> None:
    """A loop through tiles that no minimum bounds ends where an array does."""
    for index in reading.unbounded:
        held = reading.walks[index]
        reads = [n for one in filled for n in walk(one.term) if isinstance(n, Read)]
        places = [(n.value, n.subs) for n in reads]
        places += [(one.array, one.place) for one in filled]
        if not any(
            _same_walk(reading, sub, index) and extents.canonical(axis.extent)
            is extents.canonical(held.high)
            for value, subs in places
            for sub, axis in zip(subs, value.axes, strict=False)
        ):  # fmt: skip
            reading.unsure("whether the last tile ends where the arrays do is not known", True)


def _same_walk(reading: Expressions, sub: Term, index: Index) -> bool:
    return isinstance(sub, Index) and (
        sub is index or reading.walks[sub].within is reading.walks[index].within
    )
