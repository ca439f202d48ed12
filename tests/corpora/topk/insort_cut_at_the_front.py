# expect: ASC110 safe scope=best_ever
import bisect


def best_ever(times: list[float]):
    best = []
    for time in times:
        bisect.insort(best, time)
        if len(best) > 5:
            best.pop(0)
    return best


def cases(rng):
    yield "best_ever", ([0.0, -0.0, 0.0, -0.0, 0.0, -0.0, 0.0],), {}
    for n in (0, 1, 4, 41):
        yield "best_ever", ([float(v) for v in rng.permutation(n)],), {}
