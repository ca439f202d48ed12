"""Axes that are read as two, or two that are read as one: reshapes in the reads of an array."""

from __future__ import annotations

from typing import TYPE_CHECKING

from auditor.lift import extents
from auditor.notation import ONE, Apply, Index, Term

if TYPE_CHECKING:
    from auditor.writing.emit import Renderer

_Read = tuple[str, tuple[Term, ...], tuple[Index, ...]]


def reshaped(
    renderer: Renderer, name: str, subs: tuple[Term, ...], axes: tuple[Index, ...]
) -> _Read:
    """A read of ``name``, with axes merged that are read at ``i // n`` and ``i % n``, and axes
    taken apart that are read at ``i * n + j``."""
    if all(isinstance(sub, Index) for sub in subs) or any(axis.group for axis in axes):
        return name, subs, axes
    for place, (sub, axis) in enumerate(zip(subs, axes, strict=True)):
        whole = _product(axes[place : place + 2])
        merged = _merged(subs[place : place + 2], axes[place + 1 : place + 2])
        if merged is not None and renderer.alike(merged, whole):
            rest = ((*subs[:place], merged, *subs[place + 2 :]),
                    (*axes[:place], whole, *axes[place + 2 :]))  # fmt: skip
            return reshaped(renderer, renderer.words.merged(name, place), *rest)
        pair = _taken_apart(sub)
        if pair is not None and renderer.alike(_product(pair), axis):
            size = renderer.scalar(pair[1].extent).text
            halves = Index(axis.name, pair[0].extent), Index(axis.name, pair[1].extent)
            rest = ((*subs[:place], *pair, *subs[place + 1 :]),
                    (*axes[:place], *halves, *axes[place + 1 :]))  # fmt: skip
            return reshaped(renderer, renderer.words.parted(name, place, size), *rest)
    return name, subs, axes


def _product(axes: tuple[Index, ...]) -> Index:
    """Axes as one."""
    size: Term = ONE
    for axis in axes:
        size = extents.mul(size, axis.extent)
    return Index(axes[0].name, size)


def _merged(subs: tuple[Term, ...], second: tuple[Index, ...]) -> Index | None:
    """i of the places ``i // n`` and ``i % n`` along two axes, the second n long."""
    if len(subs) < 2 or not all(isinstance(sub, Apply) for sub in subs):
        return None
    high, low = subs
    assert isinstance(high, Apply) and isinstance(low, Apply)
    if (high.op, low.op) != ("floordiv", "mod") or high.args != low.args:
        return None
    index, inner = high.args
    return index if isinstance(index, Index) and inner is second[0].extent else None


def _taken_apart(sub: Term) -> tuple[Index, Index] | None:
    """i and j of the place ``i * n + j``, where j runs over n places and both over all."""
    moving = sorted(
        {atom for monomial in extents.polynomial(sub) for atom in monomial
         if isinstance(atom, Index)}, key=str,
    )  # fmt: skip
    for low in moving:
        high = [index for index in moving if index is not low]
        if len(high) == 1 and extents.canonical(sub) is extents.add(
            extents.mul(high[0], low.extent), low
        ):
            return high[0], low
    return None
