# expect: ASC110 safe scope=joined
# expect: ASC110 safe scope=extended
# expect: ASC110 safe scope=in_place
# expect: ASC110 safe scope=deleted
"""The best so far and a chunk more are sorted again, and cut to what a parameter says."""


def joined(batches: list[list[float]], k: int):
    best = []
    for batch in batches:
        best = sorted(best + batch)[:k]
    return best


def extended(batches: list[list[float]], k: int):
    best = []
    for batch in batches:
        best.extend(batch)
        best = sorted(best, reverse=True)[:k]
    return best


def in_place(batches: list[list[float]], k: int):
    best = []
    for batch in batches:
        best += batch
        best.sort(reverse=True)
        best = best[:k]
    return best


def deleted(batches: list[list[float]], k: int):
    assert k >= 0
    best = []
    for batch in batches:
        best.extend(batch)
        best.sort()
        if len(best) > k:
            del best[k:]
    return best


def cases(rng):
    for sizes in [(), (0, 3), (2, 5, 4), (1, 1)]:
        batches = [[float(v) for v in rng.integers(-4, 5, size=n)] for n in sizes]
        for name in ("joined", "extended", "in_place", "deleted"):
            for k in (0, 1, 3, 9):
                yield name, (batches, k), {}
