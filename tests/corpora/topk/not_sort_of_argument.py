# refuse: ASC110 list.sort leaves the list of the caller in order
def podium(times: list[float]) -> list[float]:
    times.sort()
    return times[:3]


def cases(rng):
    yield "podium", (rng.random(20).tolist(),), {}
