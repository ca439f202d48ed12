"""What the annotations of a function say its inputs hold, by the names of these."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True)
class Kinds:
    """The inputs that hold ``whole`` numbers, and those that hold ``texts``."""

    whole: frozenset[str] = frozenset()
    texts: frozenset[str] = frozenset()


UNKNOWN = Kinds()
