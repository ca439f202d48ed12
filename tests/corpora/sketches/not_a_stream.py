# refuse: RED510 the items are in memory anyway

from collections import Counter
from typing import List


def approximate_mode(values: List[int], digits: int):
    counts = Counter()
    for value in values:
        counts[round(value, -digits)] += 1
    return counts.most_common(1)[0][0]


def cases(rng):
    yield "approximate_mode", ([11, 12, 29], 1), {}
