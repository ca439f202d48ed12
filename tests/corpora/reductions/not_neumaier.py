# refuse: compensated summation, with the error term chosen by magnitude
def neumaier(values: list[float]) -> float:
    s = 0.0
    c = 0.0
    for x in values:
        t = s + x
        if abs(s) >= abs(x):
            c += (s - t) + x
        else:
            c += (x - t) + s
        s = t
    return s + c


def cases(rng):
    yield "neumaier", ([1.0, 1e100, 1.0, -1e100],), {}
