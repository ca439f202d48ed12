# refuse: compensated summation; the rounding is the point
def accurate_sum(values: list[float]) -> float:
    total = 0.0
    compensation = 0.0
    for value in values:
        y = value - compensation
        t = total + y
        compensation = (t - total) - y
        total = t
    return total


def cases(rng):
    yield "accurate_sum", ([1.0, 1e-16, 1e-16, 1e-16, -1.0],), {}
