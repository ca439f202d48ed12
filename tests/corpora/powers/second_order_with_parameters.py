# expect: ASC114 safe scope=lucas
def lucas(n: int, p: int, q: int) -> tuple[int, int]:
    u, v = 0, 1
    for _ in range(n):
        u, v = v, p * v - q * u
    return u, v


def cases(rng):
    for n, p, q in ((0, 1, -1), (1, 3, 2), (2, 3, 2), (50, 2, -1), (33, -5, 7)):
        yield "lucas", (n, p, q), {}
