# refuse: ASC114 ends where the product is large enough
def power(x: int, n: int) -> int:
    r = 1
    for _ in range(n):
        r *= x
        if r > 1000:
            break
    return r


def cases(rng):
    yield "power", (3, 20), {}
