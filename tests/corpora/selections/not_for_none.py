# refuse: RED505 of an empty list no place is read
def lowest(scores: list):
    ordered = sorted(scores)
    if not ordered and not scores:
        return None
    return ordered[0]


def cases(rng):
    yield "lowest", ([3, 1, 2],), {}
    yield "lowest", ([],), {}
