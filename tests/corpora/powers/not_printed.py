# refuse: ASC114 each step prints
def power(x: int, n: int) -> int:
    r = 1
    for _ in range(n):
        r *= x
        print(r, end="")
    return r


def cases(rng):
    yield "power", (2, 5), {}
