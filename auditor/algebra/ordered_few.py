"""A few values in order, as extrema of them: which is all that an order statistic of two or three
values is, the median of a value and two bounds among them."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import TypeVar

T = TypeVar("T")

MOST = 3
"""Values: of more, what each place holds is a long term."""


def ordered(items: Sequence[T], extreme: Callable[[str, T, T], T]) -> list[T]:
    """The items from the least to the largest, each by ``extreme("min" or "max", one, other)``:
    every item is put in by comparing it with those before it."""
    placed: list[T] = []
    for item in items:
        moving = item
        for place, held in enumerate(placed):
            placed[place] = extreme("min", held, moving)
            moving = extreme("max", held, moving)
        placed.append(moving)
    return placed
