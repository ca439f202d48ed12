# refuse: ASC110 the second smallest is dropped, not the smallest
import bisect


def odd_one_out(values: list[float]):
    best = []
    for value in values:
        bisect.insort(best, value)
        if len(best) > 3:
            best.pop(1)
    return best


def cases(rng):
    for n in (0, 1, 4, 41):
        yield "odd_one_out", ([float(v) for v in rng.permutation(n)],), {}
