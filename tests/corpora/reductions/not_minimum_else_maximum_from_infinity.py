# refuse: ASC106 the first sample is only ever the minimum


def extent(samples: list[float]):
    low, high = float("inf"), float("-inf")
    for sample in samples:
        if sample < low:
            low = sample
        elif sample > high:
            high = sample
    return low, high


def cases(rng):
    yield "extent", ([3.0, 2.0, 1.0],), {}
    yield "extent", ([1.0],), {}
