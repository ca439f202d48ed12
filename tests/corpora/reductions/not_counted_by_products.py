# refuse: ASC106 a factor of one changes nothing


def times_one(values: list[int], wanted: int) -> int:
    count = 0
    for value in values:
        if value == wanted:
            count *= 1
    return count


def from_five(values: list[int], wanted: int) -> int:
    count = 5
    for value in values:
        if value == wanted:
            count *= 1
    return count


def cases(rng):
    for name in ("times_one", "from_five"):
        yield name, ([1, 2, 1], 1), {}
        yield name, ([], 1), {}
