# expect: ASC110 safe scope=best_and_rest


def best_and_rest(marks: list[int], k: int):
    ordered = sorted(marks, reverse=True)
    return ordered[:k], ordered[1:k]


def cases(rng):
    for n, k in ((0, 2), (1, 2), (8, 3), (8, 1), (8, 0), (8, -3)):
        yield "best_and_rest", ([int(v) for v in rng.integers(0, 9, n)], k), {}
