"""Where algebra stops: what is raised when a term is too large, cannot be run or cannot be shown,
and the count that keeps work on normal forms within its budget.

Steps are counted, not seconds: what is decided must not depend on the machine or on what else runs
there. A step is about what it takes to make one polynomial, 20 microseconds.
"""

from __future__ import annotations

import math
import threading
from collections.abc import Iterator
from contextlib import contextmanager

MOST_ELEMENTS = 1 << 22
MOST_STEPS = 150
"""Of an array that is made to try something. Code may state sizes that no proof needs."""


class TooLarge(Exception):
    """The normal form outgrew its budget."""


class CannotEvaluate(Exception):
    """The term cannot be run on what was given; the message says what is missing."""


class CannotSpell(Exception):
    """An atom that stands for a whole loop has no term of its own."""


class _Budget(threading.local):
    """The steps that may still be made."""

    left: float = math.inf


_budget = _Budget()


def tick(steps: int = 1) -> None:
    """Count work. Raise ``TooLarge`` once there was too much."""
    _budget.left -= steps
    if _budget.left < 0:
        raise TooLarge("more steps than a question may take")


@contextmanager
def within(steps: int) -> Iterator[None]:
    """Raise ``TooLarge`` from work on normal forms that takes more steps."""
    before = _budget.left
    mine = _budget.left = min(before, steps)
    try:
        yield
    finally:
        _budget.left += before - mine
