# expect: ASC110 safe scope=top_three


def top_three(points: list[float]):
    return sorted(points)[-3:][::-1]


def cases(rng):
    yield "top_three", ([0.0, -0.0, 0.0, -0.0],), {}
    for n in (0, 1, 4, 41):
        yield "top_three", ([float(v) for v in rng.permutation(n)],), {}
