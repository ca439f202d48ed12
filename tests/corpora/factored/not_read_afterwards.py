# refuse: the variable of the inner loop is read afterwards
def both(a, b):
    s = 0.0
    for x in a:
        for y in b:
            s += x * y
    return s, y


def cases(rng):
    yield "both", ([1.0, 2.0], [1.5, 2.5, 3.0]), {}
