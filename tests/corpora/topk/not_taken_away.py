# refuse: ASC110 the next places are the first once those are gone
def two_teams(marks: list[int], k: int):
    ordered = sorted(marks)
    first = ordered[:k]
    del ordered[:k]
    return first, ordered[:k]


def cases(rng):
    for n, k in ((1, 1), (9, 3)):
        yield "two_teams", ([int(v) for v in rng.integers(0, 9, n)], k), {}
