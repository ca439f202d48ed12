# expect: ASC106 safe scope=extent


def extent(samples: list[float]):
    low = high = samples[0]
    for sample in samples:
        if sample < low:
            low = sample
        elif sample > high:
            high = sample
    return low, high


def cases(rng):
    for n in (1, 2, 9):
        yield "extent", ([float(v) for v in rng.integers(0, 5, n)],), {}
