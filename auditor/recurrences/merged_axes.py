"""Axes that a step merges, as ``o.reshape(batch, heads * width)`` does: an item of a list that is
read at ``i // width`` and ``i % width`` is one of two axes, which are merged for all steps at once.
"""

from __future__ import annotations

from dataclasses import replace
from functools import lru_cache

from auditor.lift import extents
from auditor.lift.objects import Collected
from auditor.notation import Apply, Index, Term, transform, walk


@lru_cache(maxsize=64)
def parted(items: Collected) -> tuple[Collected, tuple[int, ...]]:
    """Items with each merged axis as two, and the places where the first of them now stand."""
    merged: list[int] = []
    place = 0
    while place < len(items.axes):
        split = _split(items, place)
        if split is not None:
            items = split
            merged.append(place)
            place += 1
        place += 1
    return items, tuple(merged)


def _split(items: Collected, place: int) -> Collected | None:
    axis = items.axes[place]
    inner = _inner(items.element, axis)
    if inner is None or axis.group or items.prefix:
        return None
    outer = extents.floordiv(axis.extent, inner)
    if extents.mul(outer, inner) is not axis.extent:
        return None
    high, low = Index(axis.name, outer), Index(f"{axis.name}_", inner)

    def change(node: Term) -> Term:
        if isinstance(node, Apply) and node.op in ("floordiv", "mod") and node.args[0] is axis:
            return high if node.op == "floordiv" else low
        return node

    element = transform(items.element, change)
    if axis in walk(element):
        return None
    axes = (*items.axes[:place], high, low, *items.axes[place + 1 :])
    return replace(items, axes=axes, element=element)


def _inner(element: Term, axis: Index) -> Term | None:
    """The extent by which an axis is divided wherever it is read."""
    found = {
        node.args[1] for node in walk(element)
        if isinstance(node, Apply) and node.op in ("floordiv", "mod") and node.args[0] is axis
    }  # fmt: skip
    return found.pop() if len(found) == 1 else None
