# expect: RED505 unsafe scope=both_ends
def both_ends(values):
    ordered = sorted(values)
    return ordered[0], ordered[-1]


def cases(rng):
    yield "both_ends", ([3, 1, 2],), {}
