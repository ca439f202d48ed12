"""What an expression of a step is over all steps: which axes it has around those of the loop."""

from __future__ import annotations

from dataclasses import dataclass

Axes = int | tuple[str, int]
"""A number of axes: known, or (array, how many of its axes are gone)."""


@dataclass(frozen=True)
class Shaped:
    """``number``: the same at each step and without axes; ``fixed``: an array that is the same at
    each step; ``steps``: has the loop's axes, ``lead`` axes before them (None: unknown) and
    ``right`` after; ``total``: already summed over the steps."""

    kind: str
    lead: int | None = 0
    right: Axes = 0
    right_min: int = 0
    floating: bool = False
    boolean: bool = False
    leaf: bool = False
