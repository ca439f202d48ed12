# expect: ASC110 safe scope=medals


def medals(points: list[int]):
    rest = list(points)
    taken = []
    for _ in range(3):
        best = max(rest)
        taken.append(best)
        rest.remove(best)
    return taken


def cases(rng):
    for n in (3, 9, 40):
        yield "medals", ([int(v) for v in rng.integers(0, 9, n)],), {}
