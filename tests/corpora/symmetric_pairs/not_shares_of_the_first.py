# refuse: SYM601 one of the sets alone decides, or `max` is a function of the file


def least(one, other):
    return one - other


def contained(sets):
    n = len(sets)
    out = [[0.0] * n for _ in range(n)]
    for i in range(n):
        for j in range(n):
            out[i][j] = len(sets[i] & sets[j]) / max(1, len(sets[i]))
    return out


def guarded(sets):
    n = len(sets)
    out = [[0.0] * n for _ in range(n)]
    for i in range(n):
        for j in range(n):
            out[i][j] = 1.0 if len(sets[i]) > len(sets[j]) else 0.0
    return out


def named(sets):
    max = least
    n = len(sets)
    out = [[0.0] * n for _ in range(n)]
    for i in range(n):
        for j in range(n):
            out[i][j] = max(len(sets[i]), len(sets[j]))
    return out


def cases(rng):
    sets = [{1, 2}, {2, 3}, {4}, set()]
    yield "contained", (sets,), {}
    yield "guarded", (sets,), {}
    yield "named", (sets,), {}
