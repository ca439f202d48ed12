# refuse: LOC303 the windows do not overlap, grow, or are left out at times
def blocks(x: list[float], k: int):
    return [sum(x[i * k : i * k + k]) for i in range(len(x) // k)]


def growing(x: list[float]):
    return [max(x[i : 2 * i + 1]) for i in range(len(x) // 2)]


def some(x: list[float], k: int):
    return [max(x[i : i + k]) for i in range(len(x) - k + 1) if x[i] > 0]


def cases(rng):
    def L(n):
        return [float(v) for v in rng.normal(size=n)]

    for n in (9, 4):
        yield "blocks", (L(n), 3), {}
        yield "growing", (L(n),), {}
        yield "some", (L(n), 3), {}
