# refuse: ASC114 the quotient is floored at every step
def shrink(value: int, n: int) -> int:
    for _ in range(n):
        value = value * 3 // 2
    return value


def cases(rng):
    yield "shrink", (7, 9), {}
