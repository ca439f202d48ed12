# expect: SEP201 safe scope=both
def both(a, b):
    s = 0.0
    for x in a:
        for y in b:
            s = s + (x - 1) * (y + 2)
    return s


def cases(rng):
    yield "both", ([1.0, 2.0], (1.5, 2.5)), {}
