# refuse: what is filled is a dictionary
def differences(start: dict[int, float], x, n):
    table = start.copy()
    for i in range(1, n):
        table[i] = x[i] - x[i - 1]
    return table


def cases(rng):
    for n in (5, 1):
        yield "differences", ({0: 1.0, 7: 2.0}, list(rng.normal(size=n)), n), {}
