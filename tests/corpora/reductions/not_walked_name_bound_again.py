# refuse: ASC106 what is walked has another name by the end of the first step
# refuse: ASC105 what is walked has another name by the end of the first step


def largest(values: list[float]):
    best = values[0]
    for v in values[1:]:
        if v > best:
            best = v
        values = [100]
    return best


def total(xs: list[float]):
    s = 0
    for x in xs:
        s += x
        xs = []
    return s


def counted(xs: list[float]):
    n = 0
    for x in xs:
        if x > 1:
            n += 1
        xs = None
    return n


def cases(rng):
    for name in ("largest", "total", "counted"):
        yield name, ([1.0, 3.0, 2.0],), {}
