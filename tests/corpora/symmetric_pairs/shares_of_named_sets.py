# expect: SYM601 safe scope=f
def f(sets: list[set]):
    n = len(sets)
    sim = [[0.0] * n for _ in range(n)]
    for i in range(n):
        for j in range(n):
            a, b = sets[i], sets[j]
            inter = len(a & b)
            union = len(a | b)
            sim[i][j] = inter / union
    return sim


def cases(rng):

    for args in [([{1, 2}, {2, 3}, {4}],), ([{1}],), ([],)]:
        yield "f", args, {}
