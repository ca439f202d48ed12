# refuse: where the inner loop begins depends on the outer one
def s(a, b):
    total = 0.0
    for i in range(len(a)):
        for j in range(i, len(b)):
            total += a[i] * b[j]
    return total


def cases(rng):
    yield (
        "s",
        (list(map(float, rng.standard_normal(5))), list(map(float, rng.standard_normal(7)))),
        {},
    )
