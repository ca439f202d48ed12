# expect: ASC110 safe scope=fastest
# expect: ASC110 safe scope=least
import bisect
from bisect import insort


def fastest(times: list[float], k: int):
    best = []
    for time in times:
        if len(best) < k or time < best[-1]:
            insort(best, time)
            if len(best) > k:
                best.pop()
    return best


def least(values: list[int]):
    best = []
    for value in values:
        if len(best) < 4 or best[-1] > value:
            bisect.insort_right(best, value)
            del best[4:]
    return best


def cases(rng):
    yield "fastest", ([0.0, -0.0, 0.0, -0.0], 3), {}
    for n in (0, 1, 4, 41):
        yield "fastest", ([float(v) for v in rng.integers(0, 9, n)], 3), {}
        yield "least", ([int(v) for v in rng.integers(0, 9, n)],), {}
