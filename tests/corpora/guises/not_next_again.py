# refuse: the iterator, or what it walks, is used besides
"""Iterators of which more is taken inside or after the loop, or over a list that changes."""

from __future__ import annotations


def every_other(xs: list[float]):
    it = iter(xs)
    low = next(it)
    for x in it:
        low = min(low, x)
        next(it, None)
    return low


def until_it_rises(xs: list[float]):
    it = iter(xs)
    low = next(it)
    for x in it:
        if x > low:
            break
        low = x
    return low, list(it)


def changed(xs: list[float]):
    it = iter(xs)
    low = next(it)
    for x in it:
        low = x if x < low else low
        xs[-1] = 0.0
    return low


def longer(xs: list[float]):
    it = iter(xs)
    xs.append(-9.0)
    low = next(it)
    for x in it:
        low = x if x < low else low
    return low


def of_anything(xs):
    it = iter(xs)
    low = next(it)
    for x in it:
        low = x if x < low else low
    return low


def cases(rng):
    for length in (1, 2, 7):
        xs = rng.standard_normal(length).tolist()
        for name in ("every_other", "until_it_rises", "changed", "longer", "of_anything"):
            yield name, (list(xs),), {}
        yield "of_anything", ({1.0, 2.0, -1.0},), {}
