# refuse: ASC110 a negative stop keeps all but five
def trimmed(values: list[float]) -> float:
    kept = sorted(values)[:-5]
    return sum(kept) / len(kept)


def cases(rng):
    yield "trimmed", (rng.random(40).tolist(),), {}
