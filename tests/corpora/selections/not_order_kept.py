# refuse: RED505 the whole order is returned as well
def summary(xs: list):
    ordered = sorted(xs)
    return ordered[0], ordered


def cases(rng):
    yield "summary", ([3, 1, 2],), {}
