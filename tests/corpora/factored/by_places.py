# expect: SEP201 safe scope=portfolio
def portfolio(a, b):
    total = 0.0
    for i in range(len(a)):
        for j in range(len(b)):
            total += a[i] * b[j]
    return total


def cases(rng):
    yield "portfolio", (rng.standard_normal(7), rng.standard_normal(5)), {}
    yield "portfolio", ([1.5, 2.5], [0.5, 3.25, 4.0]), {}
