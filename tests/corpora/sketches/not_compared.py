# refuse: RED510 whether all are different has to be known exactly


def matched(places, costs):
    """Solve the assignment problem (approximately)."""
    if not len(set(places)) == len(costs):
        raise ValueError("places must be unique")
    return sum(costs)


def cases(rng):
    yield "matched", ([3, 1, 2], [1.0, 2.0, 4.0]), {}
