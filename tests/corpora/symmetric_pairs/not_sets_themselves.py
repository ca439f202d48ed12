# refuse: SYM601 the sets are kept and changed
def f(sets):
    n = len(sets)
    sim = [[0.0] * n for _ in range(n)]
    for i in range(n):
        for j in range(n):
            sim[i][j] = sets[i] & sets[j]
            sim[i][j].add(7)
    return sim


def cases(rng):

    for args in [([{1, 2}, {2, 3}, {4}],), ([{1}],), ([],)]:
        yield "f", args, {}
