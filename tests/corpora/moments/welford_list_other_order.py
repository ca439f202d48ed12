# expect: ASC108 safe scope=spread


def spread(samples: list[float]) -> float:
    mean = squares = 0.0
    for i, sample in enumerate(samples):
        new = mean + (sample - mean) / (i + 1)
        squares = squares + (sample - mean) * (sample - new)
        mean = new
    return squares / max(len(samples), 1)


def cases(rng):
    for n in (0, 1, 2, 9):
        yield "spread", ([float(v) for v in rng.normal(size=n)],), {}
