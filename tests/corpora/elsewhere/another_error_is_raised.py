# expect: RED505 safe scope=lowest


def lowest(xs):
    return sorted(xs)[0]


def lowest_of(rows, place):
    if place >= len(rows):
        raise IndexError(f"there is no row {place}")
    return lowest(rows[place])


def cases(rng):
    yield "lowest_of", ([[3, 1], [2]], 0), {}
    yield "lowest_of", ([[3, 1], [2]], 1), {}
