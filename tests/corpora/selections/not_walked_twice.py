# refuse: RED505 what is sorted may be walked once only
from collections.abc import Iterable


def both_ends(values: Iterable[int]):
    ordered = sorted(values)
    return ordered[0], ordered[-1]


def cases(rng):
    yield "both_ends", ([3, 1, 2],), {}
