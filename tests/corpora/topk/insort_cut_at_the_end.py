# expect: ASC110 safe scope=fastest
from bisect import insort


def fastest(times: list[float]):
    best = []
    for time in times:
        insort(best, time)
        del best[3:]
    return best


def cases(rng):
    yield "fastest", ([0.0, -0.0, 0.0, -0.0],), {}
    for n in (0, 1, 4, 41):
        yield "fastest", ([float(v) for v in rng.permutation(n)],), {}
