# refuse: LOC301 SEP205 one of the two places is not in the sum, or no square is added up
def diagonal(a: list[list[float]], b: list[list[float]]):
    return [[sum(a[i][k] * b[i][k] for k in range(2)) for _ in range(3)] for i in range(3)]


def absolute(a: list[list[float]], b: list[list[float]]):
    return [[sum(abs(p - q) for p, q in zip(u, v)) for v in b] for u in a]


def of_arrays(a, b):
    return a @ b


def cases(rng):
    def L(n):
        return [float(v) for v in rng.normal(size=n)]

    one, two = [L(2), L(2), L(2)], [L(2), L(2), L(2)]
    yield "diagonal", (one, two), {}
    yield "absolute", (one, two), {}
    yield "of_arrays", (rng.normal(size=(2, 3)), rng.normal(size=(3, 2))), {}
