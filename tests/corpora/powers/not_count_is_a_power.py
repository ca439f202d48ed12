# refuse: ASC114 the count of the steps is carried as well
def both(x: int, n: int):
    r = 1
    for _ in range(n):
        n = n * 2
        r = r * x
    return r, n


def cases(rng):
    yield "both", (3, 4), {}
    yield "both", (3, 0), {}
