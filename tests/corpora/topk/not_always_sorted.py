# refuse: ASC110 a walk that ends early leaves a list that is not in order
def last_group(groups: list[list[int]], k: int):
    for group in groups:
        found = []
        for value in group:
            found.append(value)
        if len(group) > 5:
            break
        found.sort()
    return found[:k]


def cases(rng):
    for sizes in ((2, 4), (3, 9, 2)):
        yield "last_group", ([[int(v) for v in rng.integers(0, 9, n)] for n in sizes], 3), {}
