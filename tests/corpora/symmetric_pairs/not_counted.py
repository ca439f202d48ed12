# refuse: SYM601 the calls are counted

calls = 0


def gap(a, b):
    global calls
    calls += 1
    return abs(a - b)


def table(values):
    n = len(values)
    out = [[0.0] * n for _ in range(n)]
    for i in range(n):
        for j in range(n):
            out[i][j] = gap(values[i], values[j])
    return out, calls


def cases(rng):
    yield "table", ([1.0, 2.0, 4.0],), {}
