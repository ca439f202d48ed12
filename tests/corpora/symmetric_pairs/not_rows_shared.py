# refuse: SYM601 all rows are one list


def table(values):
    n = len(values)
    out = [[0.0] * n] * n
    for i in range(n):
        for j in range(n):
            out[i][j] = abs(values[i] - values[j])
    return out


def cases(rng):
    yield "table", ([1.0, 2.0, 4.0],), {}
