# refuse: ASC105 of equal values the loop keeps the last, which may be of another type
def running(values: list[float]):
    largest = 0
    out = []
    for value in values:
        largest = max(value, largest)
        out.append(largest)
    return out


def cases(rng):
    yield "running", ([0.0, -1.0, 2, 2.0],), {}
