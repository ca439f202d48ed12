# refuse: RED510 amounts are added up, not items counted


def approximate_totals(records):
    totals = {}
    for name, amount in records:
        totals[name] = totals.get(name, 0) + amount
    return totals


def cases(rng):
    yield "approximate_totals", ([("a", 2), ("b", 3), ("a", 1)],), {}
