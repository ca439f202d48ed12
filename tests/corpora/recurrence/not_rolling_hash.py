# refuse: integer arithmetic modulo 2**32
def polynomial_hash(codes, base=31):
    h = 7
    prefix = []
    for c in codes:
        h = (base * h + c) % 2**32
        prefix.append(h)
    return prefix


def cases(rng):
    yield "polynomial_hash", (rng.integers(0, 128, 60).tolist(),), {}
