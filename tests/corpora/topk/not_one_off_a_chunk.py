# refuse: a chunk is added, and one item taken off
"""The list grows, or what is added is seen elsewhere."""


def popped(batches: list[list[float]], k: int):
    best = []
    for batch in batches:
        best.extend(batch)
        best.sort(reverse=True)
        if len(best) > k:
            best.pop()
    return best


def last_deleted(batches: list[list[float]], k: int):
    best = []
    for batch in batches:
        best += batch
        best.sort(reverse=True)
        if len(best) > k:
            del best[-1]
    return best


def kept_elsewhere(batches: list[list[float]], k: int, seen: list):
    best = []
    for batch in batches:
        best.extend(batch)
        seen.append(len(best))
        best = sorted(best)[:k]
    return best, seen


def cases(rng):
    for sizes in [(), (0, 3), (2, 5, 4), (1, 1)]:
        batches = [[float(v) for v in rng.integers(-4, 5, size=n)] for n in sizes]
        for k in (1, 3):
            yield "popped", (batches, k), {}
            yield "last_deleted", (batches, k), {}
            yield "kept_elsewhere", (batches, k, []), {}
