# expect: RED502 safe scope=trimmed
# may: RED505 any scope=trimmed

from typing import List


def trimmed(values: List[float], k: int):
    low = sorted(values)[k]
    high = sorted(values)[len(values) - 1 - k]
    return [v for v in values if low <= v <= high]


def cases(rng):
    yield "trimmed", ([3.0, 1.0, 2.0, 5.0], 1), {}
    yield "trimmed", ([3.0], 0), {}
