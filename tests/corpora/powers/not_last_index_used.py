# refuse: ASC114 the loop's variable is read after it
def power(x: int, n: int):
    r = 1
    i = -1
    for i in range(n):
        r *= x
    return r, i


def cases(rng):
    yield "power", (3, 4), {}
