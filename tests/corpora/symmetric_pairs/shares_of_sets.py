# expect: SYM601 safe scope=f
def f(sets):
    n = len(sets)
    sim = [[0.0] * n for _ in range(n)]
    for i in range(n):
        for j in range(n):
            sim[i][j] = len(sets[i] & sets[j]) / len(sets[i] | sets[j])
    return sim


def cases(rng):

    for args in [([{1, 2}, {2, 3}, {4}],), ([{1}],), ([],)]:
        yield "f", args, {}
