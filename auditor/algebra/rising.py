"""Whether what is counted after more and more steps goes on growing."""

from __future__ import annotations

import itertools
from collections.abc import Sequence


def rising(counts: Sequence[int]) -> list[int]:
    """The counts as long as each is larger than the one before."""
    larger = itertools.takewhile(lambda pair: pair[0] < pair[1], itertools.pairwise(counts))
    return [*counts[:1], *(after for _, after in larger)]
