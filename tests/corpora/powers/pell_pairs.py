# expect: ASC114 safe scope=pell
def pell(n: int):
    x, y = 1, 0
    for _ in range(n):
        x, y = 3 * x + 4 * y, 2 * x + 3 * y
    return x, y


def cases(rng):
    for n in (0, 1, 2, 3, 40, 129):
        yield "pell", (n,), {}
