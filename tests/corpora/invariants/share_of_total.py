# expect: RED501 safe scope=above_mean

from typing import List


def above_mean(values: List[float]):
    """The values above the mean, which is taken again for each."""
    if not values:
        return []
    found = []
    for v in values:
        if v > sum(values) / 4:
            found.append(v)
    return found


def cases(rng):
    yield "above_mean", ([1.0, 2.0, 9.0, 4.0],), {}
    yield "above_mean", ([],), {}
