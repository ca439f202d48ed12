# refuse: SYM601 texts are joined in their order


def pairs(names):
    n = len(names)
    out = [[""] * n for _ in range(n)]
    for i in range(n):
        for j in range(n):
            out[i][j] = names[i] + names[j]
    return out


def cases(rng):
    yield "pairs", (["ab", "c", "d"],), {}
