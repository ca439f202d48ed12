# refuse: the number of places grows between the order and its use
"""What a step uses is the order that the step before made."""


def one_late(rows: list[list[float]], k: int):
    total, ordered = 0.0, []
    for row in rows:
        total += sum(ordered[:k])
        ordered = sorted(row)
        k += 1
    return total


def cases(rng):
    for n, m in [(3, 4), (1, 1), (2, 7)]:
        for k in (0, 2):
            yield "one_late", (rng.normal(size=(n, m)).tolist(), k), {}
