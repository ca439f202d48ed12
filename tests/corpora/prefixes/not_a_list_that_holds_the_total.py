# refuse: what the list begins with is another value than what the names were before


def balances(xs: list[float], start: float):
    kept = [start]
    total = start
    kept, total = [], len(kept)
    for x in xs:
        total += x
        kept.append(total)
    return kept


def cases(rng):
    for n in (1, 2, 7):
        yield "balances", (rng.normal(size=n).tolist(), 0.5), {}
