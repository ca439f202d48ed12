# expect: ASC110 safe scope=podium


def podium(points: list[float]):
    ranking = list(points)
    ranking.sort(reverse=True)
    return ranking[:3]


def cases(rng):
    yield "podium", ([0.0, -0.0, 0.0, -0.0],), {}
    for n in (0, 1, 4, 41):
        yield "podium", ([float(v) for v in rng.permutation(n)],), {}
