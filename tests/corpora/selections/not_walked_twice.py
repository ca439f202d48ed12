# refuse: RED505 what is sorted may be walked once only
def both_ends(values):
    ordered = sorted(values)
    return ordered[0], ordered[-1]


def cases(rng):
    yield "both_ends", ([3, 1, 2],), {}
