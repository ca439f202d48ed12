"""Places that move with a cell and with a sum at once: ``x[i + r]`` is element r of the window at
i."""

from __future__ import annotations

from collections.abc import Collection
from dataclasses import dataclass

from auditor.lift import extents
from auditor.nests.nest import Nest
from auditor.nests.parts import indices
from auditor.notation import ONE, Const, Index, Read, Term


@dataclass(frozen=True)
class Window:
    """A window of ``size`` that moves with ``index`` by ``stride``, walked by ``within`` (from its
    end where ``backwards``); all of them lie in ``low .. high - 1``."""

    index: Index
    within: Index
    stride: Term
    size: Term
    low: Term
    high: Term
    backwards: bool


def windows(nest: Nest, term: Read, kept: Collection[Index]) -> dict[int, Window] | None:
    """The axes of an array along which windows slide; None where there are none, or others than
    are followed: what walks a window says one place of the array and no more."""
    found: dict[int, Window] = {}
    for position, sub in enumerate(term.subs):
        if len(set(indices(sub))) == 2:
            window = _window(nest, sub, kept)
            if window is None:
                return None
            found[position] = window
    walked = [window.within for window in found.values()]
    said = [index for sub in term.subs for index in set(indices(sub))]
    if any(said.count(index) > 1 for index in walked):
        return None
    return found or None


def _moves_and_walks(sub: Term, kept: Collection[Index]) -> tuple[Index, Index]:
    """Of two indices that which moves a window, and that which walks it: one that is not
    ``kept``; where the windows themselves are, the one that goes place by place."""
    first, second = sorted(dict.fromkeys(indices(sub)), key=lambda index: index not in kept)
    if second in kept:
        order = list(kept)
        step_by_step = [i for i in (first, second) if extents.polynomial(sub).get((i,)) == 1]
        within = max(step_by_step, key=order.index, default=second)
        return (first if within is second else second), within
    return first, second


def _window(nest: Nest, sub: Term, kept: Collection[Index]) -> Window | None:
    parts = dict(extents.polynomial(sub))
    index, within = _moves_and_walks(sub, kept)
    if index not in kept:
        return None
    moving = [monomial for monomial in parts if index in monomial]
    way = parts.pop((within,), 0)
    if len(moving) != 1 or way not in (1, -1):
        return None
    (monomial,) = moving
    stride = extents.mul(*(each for each in monomial if each is not index),
                         Const(parts.pop(monomial)))  # fmt: skip
    least = extents.constant(stride)
    if (least is not None and least < 1) or monomial.count(index) != 1 or any(
        isinstance(atom, Index) for each in (*parts, extents.polynomial(stride)) for atom in each
    ):  # fmt: skip
        return None
    outer, inner = nest.walk(index), nest.walk(within)
    if any(extents.constant(held.stride) != 1 for held in (outer, inner)):
        return None
    rest = extents.sub(sub, extents.add(extents.mul(stride, index),
                                        extents.mul(Const(way), within)))  # fmt: skip
    size = extents.sub(inner.high, inner.low)
    nearest = inner.low if way == 1 else extents.neg(extents.sub(inner.high, ONE))
    start = extents.add(rest, nearest)
    low = extents.add(extents.mul(stride, outer.low), start)
    last = extents.add(extents.mul(stride, extents.sub(outer.high, ONE)), start)
    return Window(index, within, stride, size, low, extents.add(last, size), way == -1)
