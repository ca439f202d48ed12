# refuse: LOC305 what is written is read by later pairs


def f(x, m, G=1.0, eps=0.1):
    n = len(x)
    for i in range(n):
        for j in range(n):
            if i != j:
                x[i] += 0.01 * m[j] * (x[j] - x[i])
    return x


def cases(rng):
    for n in (1, 2, 9):
        yield "f", (rng.standard_normal((n, 3)), rng.uniform(1, 2, n)), {}
