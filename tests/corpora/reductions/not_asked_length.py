# refuse: the length is asked for on one way only, an iterator may come on the other
def spread(records):
    total = 0.0
    largest = 0.0
    for r in records:
        total += r
        largest = max(largest, r)
    if total < 0:
        return total / len(records)
    return total, largest


def cases(rng):
    yield "spread", ([1.0, 2.5, 4.0],), {}
