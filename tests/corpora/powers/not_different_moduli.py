# refuse: ASC114 two remainders
def pair(n: int) -> int:
    a, b = 0, 1
    for _ in range(n):
        a, b = b % 7, (a + b) % 11
    return a


def cases(rng):
    yield "pair", (20,), {}
