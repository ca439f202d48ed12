# refuse: compares magnitudes but keeps the signed value
def strongest(signal: list[float]) -> float:
    best = 0.0
    for s in signal:
        if abs(s) > best:
            best = s
    return best


def cases(rng):
    yield "strongest", ([1.0, -3.0, 2.0, -0.5, 0.7],), {}
    yield "strongest", (rng.standard_normal(20).tolist(),), {}
