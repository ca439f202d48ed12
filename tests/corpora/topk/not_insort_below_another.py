# refuse: it is compared with the first, with one of too many, or put before its equals
from bisect import insort, insort_left


def lowered(times: list[float]):
    best = []
    for time in times:
        if len(best) < 3 or time < best[0]:
            insort(best, time)
            if len(best) > 3:
                best.pop()
    return best


def shortened(times: list[float]):
    best = []
    for time in times:
        if len(best) < 5 or time < best[-1]:
            insort(best, time)
            if len(best) > 3:
                best.pop()
    return best


def before(times: list[float]):
    best = []
    for time in times:
        if len(best) < 3 or time < best[-1]:
            insort_left(best, time)
            if len(best) > 3:
                best.pop()
    return best


def cases(rng):
    for name in ("lowered", "shortened", "before"):
        yield name, ([0.0, -0.0, 0.0, -0.0, 0.0],), {}
        yield name, ([float(v) for v in rng.integers(0, 9, 41)],), {}
