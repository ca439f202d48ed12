# expect: SYM601 safe scope=jaccard
# expect: SYM601 safe scope=overlap
# expect: SYM601 safe scope=guarded


def jaccard(sets):
    n = len(sets)
    out = [[0.0] * n for _ in range(n)]
    for i in range(n):
        for j in range(n):
            out[i][j] = len(sets[i] & sets[j]) / max(1, len(sets[i] | sets[j]))
    return out


def overlap(sets):
    n = len(sets)
    out = [[0.0] * n for _ in range(n)]
    for i in range(n):
        for j in range(n):
            out[i][j] = len(sets[i] & sets[j]) / max(min(len(sets[i]), len(sets[j])), 1)
    return out


def guarded(sets):
    n = len(sets)
    out = [[0.0] * n for _ in range(n)]
    for i in range(n):
        for j in range(n):
            a, b = sets[i], sets[j]
            out[i][j] = len(a & b) / len(a | b) if a | b else 0.0
    return out


def cases(rng):
    for sets in ([{1, 2}, {2, 3}, {4}, set()], [set()], []):
        yield "jaccard", (sets,), {}
        yield "overlap", (sets,), {}
        yield "guarded", (sets,), {}
