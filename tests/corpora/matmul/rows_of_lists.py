# expect: LOC301 advice scope=in_loops
# expect: LOC301 advice scope=listed
# expect: SEP205 advice scope=distances
import math


def in_loops(a: list[list[float]], b: list[list[float]]):
    n, m, p = len(a), len(b[0]), len(b)
    c = [[0.0] * m for _ in range(n)]
    for i in range(n):
        for j in range(m):
            for k in range(p):
                c[i][j] += a[i][k] * b[k][j]
    return c


def listed(a: list[list[float]], b: list[list[float]]):
    n, m = len(a), len(b[0])
    return [[sum(a[i][k] * b[k][j] for k in range(len(b))) for j in range(m)] for i in range(n)]


def distances(a: list[list[float]], b: list[list[float]]):
    return [[math.sqrt(sum((p - q) ** 2 for p, q in zip(u, v))) for v in b] for u in a]


def cases(rng):
    def L(n):
        return [float(v) for v in rng.normal(size=n)]

    one, two = [L(2), L(2), L(2)], [L(3), L(3)]
    yield "in_loops", (one, two), {}
    yield "listed", (one, two), {}
    yield "distances", (one, [L(2), L(2)]), {}
