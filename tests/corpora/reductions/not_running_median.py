# refuse: the median
import bisect


def median(values: list[float]) -> float:
    ordered = []
    for v in values:
        bisect.insort(ordered, v)
    middle = len(ordered) // 2
    if len(ordered) % 2:
        return ordered[middle]
    return (ordered[middle - 1] + ordered[middle]) / 2


def cases(rng):
    yield "median", (rng.standard_normal(9).tolist(),), {}
    yield "median", (rng.standard_normal(10).tolist(),), {}
