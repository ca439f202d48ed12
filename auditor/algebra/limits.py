"""Where algebra stops: what is raised when a term is too large, cannot be run or cannot be shown,
and the clock that keeps work on normal forms within its time."""

from __future__ import annotations

import math
import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager


class TooLarge(Exception):
    """The normal form outgrew its budget."""


class CannotEvaluate(Exception):
    """The term cannot be run on what was given; the message says what is missing."""


class CannotSpell(Exception):
    """An atom that stands for a whole loop has no term of its own."""


class _Clock(threading.local):
    """When to give up; looked at now and then, as polynomials are made."""

    deadline = math.inf
    made = 0


_clock = _Clock()


def tick() -> None:
    """Raise ``TooLarge`` once the time is up."""
    _clock.made += 1
    if _clock.made % 64 == 0:
        in_time()


def in_time() -> None:
    """As ``tick``, looking at the clock at once: before a step that takes long."""
    if time.thread_time() > _clock.deadline:
        raise TooLarge("out of time")


@contextmanager
def within(seconds: float) -> Iterator[None]:
    """Raise ``TooLarge`` from work on normal forms that takes longer."""
    before = _clock.deadline
    _clock.deadline = min(before, time.thread_time() + seconds)
    try:
        yield
    finally:
        _clock.deadline = before


@contextmanager
def untimed() -> Iterator[None]:
    """Time that does not count: what is done once a process, such as importing sympy."""
    start = time.thread_time()
    try:
        yield
    finally:
        _clock.deadline += time.thread_time() - start
