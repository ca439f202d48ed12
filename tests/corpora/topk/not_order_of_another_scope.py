# refuse: ASC110 other functions of the file read the whole order
ordered: list[int] = []


def best(marks: list[int], k: int):
    global ordered
    ordered = list(marks)
    ordered.sort()
    return ordered[:k]


def ranks(marks: list[int], k: int):
    first = best(marks, k)
    return first, list(ordered)


def cases(rng):
    for n, k in ((1, 1), (9, 3)):
        yield "ranks", ([int(v) for v in rng.integers(0, 9, n)], k), {}
