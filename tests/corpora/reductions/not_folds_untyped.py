# refuse: each sum reads the one before; what is printed at each step is seen


def rescaled(xs, limit):
    s = 0
    for x in xs:
        s += x
        if s > limit:
            s = s / 2
    return s


def loud(xs):
    s = 0
    for x in xs:
        s += x
        print(s)
    return s


def cases(rng):
    yield "rescaled", ([1.0, 2.0, 5.0], 3.0), {}
    yield "loud", ([1.0, 2.0],), {}
