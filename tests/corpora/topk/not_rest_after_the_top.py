# refuse: ASC110 the slice drops the top instead of keeping it
def without_winners(times: list[float]) -> list[float]:
    return sorted(times)[3:]


def cases(rng):
    yield "without_winners", (rng.random(12).tolist(),), {}
