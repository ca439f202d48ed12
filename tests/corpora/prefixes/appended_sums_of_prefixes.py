# expect: ASC105 safe scope=running
# expect: ASC105 safe scope=behind_others


def running(xs: list[float]):
    out = []
    for i in range(len(xs)):
        out.append(sum(xs[: i + 1]))
    return out


def behind_others(xs: list[int], found: list[int]):
    balances = []
    total = sum(found)
    for day in range(len(xs)):
        balances.append(sum(xs[: day + 1]))
    return balances, total


def cases(rng):
    for n in (0, 1, 7):
        yield "running", (rng.normal(size=n).tolist(),), {}
        yield "behind_others", (rng.integers(0, 9, size=n).tolist(), [1, 2]), {}
