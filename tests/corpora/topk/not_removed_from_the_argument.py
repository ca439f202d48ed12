# refuse: ASC110 the argument is left without its largest entries


def strip(values: list[int]):
    taken = []
    for _ in range(2):
        best = max(values)
        taken.append(best)
        values.remove(best)
    return taken


def cases(rng):
    yield "strip", ([3, 1, 2, 0],), {}
