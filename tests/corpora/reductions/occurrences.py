# expect: ASC106 safe scope=occurrences


def occurrences(values: list[int], wanted: int) -> int:
    n = 0
    for value in values:
        if value == wanted:
            n += 1
    return n


def cases(rng):
    yield "occurrences", ([1, 2, 1], 1), {}
    yield "occurrences", ([], 1), {}
