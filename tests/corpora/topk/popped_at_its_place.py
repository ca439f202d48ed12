# expect: ASC110 safe scope=smallest_two


def smallest_two(points: list[int]):
    pool = points[:]
    taken = []
    for _ in range(2):
        place = pool.index(min(pool))
        taken.append(pool.pop(place))
    return taken


def cases(rng):
    for n in (2, 9, 40):
        yield "smallest_two", ([int(v) for v in rng.integers(0, 9, n)],), {}
