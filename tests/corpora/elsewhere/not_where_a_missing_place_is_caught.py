# expect: RED505 unsafe scope=lowest


def lowest(xs):
    return sorted(xs)[0]


def lowest_or_none(xs):
    try:
        return lowest(xs)
    except IndexError:
        return None


def cases(rng):
    yield "lowest_or_none", ([],), {}
    yield "lowest_or_none", ([2, 1],), {}
