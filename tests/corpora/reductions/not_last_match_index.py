# refuse: loop variables are read after a break
def first_above(samples: list[float], threshold: float):
    total = 0.0
    for i, s in enumerate(samples):
        total += s
        if s > threshold:
            break
    return i, total


def cases(rng):
    yield "first_above", ([0.1, 0.2, 5.0, 0.3], 1.0), {}
    yield "first_above", ([0.1, 0.2], 1.0), {}
