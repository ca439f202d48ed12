# refuse: the factor moves with both loops
def s(a, b):
    total = 0.0
    for x in a:
        for y in b:
            total += 1 / (x + y)
    return total


def cases(rng):
    yield "s", (list(map(float, rng.random(5))), list(map(float, rng.random(7)))), {}
