# expect: LOC301 advice scope=product
# expect: SYM602 advice scope=overlaps
# expect: SYM603 advice scope=circular
# expect: SYM604 advice scope=polynomials
# expect: LOC302 advice scope=smoothed
# expect: SPA406 advice scope=counted
"""The same loops over lists of numbers: what they compute is said, the lists stay."""


def product(a, b):
    n, m, p = len(a), len(b), len(b[0])
    c = [[0.0] * p for _ in range(n)]
    for i in range(n):
        for j in range(p):
            for k in range(m):
                c[i][j] += a[i][k] * b[k][j]
    return c


def overlaps(rows):
    n = len(rows)
    g = [[0.0] * n for _ in range(n)]
    for i in range(n):
        for j in range(i, n):
            s = sum(p * q for p, q in zip(rows[i], rows[j]))
            g[i][j] = s
            g[j][i] = s
    return g


def circular(a, b):
    n = len(a)
    out = [0.0] * n
    for i in range(n):
        for j in range(n):
            out[(i + j) % n] += a[i] * b[j]
    return out


def polynomials(p, q):
    n, m = len(p), len(q)
    out = [0.0] * (n + m - 1)
    for i in range(n):
        for j in range(m):
            out[i + j] += p[i] * q[j]
    return out


def smoothed(x):
    n = len(x)
    out = [0.0] * n
    for i in range(1, n - 1):
        out[i] = (x[i - 1] + 2 * x[i] + x[i + 1]) / 4
    return out


def counted(labels):
    counts = [0] * 5
    for label in labels:
        counts[label] += 1
    return counts


def cases(rng):
    def numbers(*shape):
        return rng.standard_normal(shape).tolist()

    yield "product", (numbers(3, 2), numbers(2, 4)), {}
    yield "overlaps", (numbers(3, 2),), {}
    yield "circular", (numbers(4), numbers(4)), {}
    yield "polynomials", (numbers(4), numbers(2)), {}
    yield "smoothed", (numbers(6),), {}
    yield "counted", (rng.integers(0, 5, 7).tolist(),), {}
