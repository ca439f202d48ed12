# refuse: ASC106 counts how often the running maximum is broken
def record_highs(temperatures: list[float]) -> int:
    high = float("-inf")
    records = 0
    for t in temperatures:
        if t > high:
            high = t
            records += 1
    return records


def cases(rng):
    yield "record_highs", (rng.standard_normal(40).tolist(),), {}
