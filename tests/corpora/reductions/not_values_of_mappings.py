# refuse: ASC106 the key is used as well, the items of a list are its places, more than one product
def by_length(shares: dict[str, float]):
    total = 0.0
    for name, share in shares.items():
        total += len(name) * share
    return total


def places(following: list[int]):
    total = 0
    for at in following:
        total += following[at]
    return total


def squares(a: list[float], b: list[float]):
    total = 0.0
    for x, y in zip(a, b):
        total += x * y * y
    return total


def cases(rng):
    yield "by_length", ({"a": 0.5, "bc": 3.0},), {}
    yield "places", ([2, 0, 1, 1],), {}
    yield "squares", ([1.0, 2.0], [3.0, 4.0]), {}
