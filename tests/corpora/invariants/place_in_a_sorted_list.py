# expect: RED501 safe scope=ranks
# expect: RED501 safe scope=named


def ranks(values: list[int]) -> list[int]:
    result = []
    for v in values:
        result.append(sorted(values).index(v))
    return result


def named(scores: list[float], others: list[float]):
    found = []
    for score in others:
        place = sorted(scores).index(score)
        found.append(place)
    return found


def cases(rng):
    yield "ranks", ([3, 1, 2, 2],), {}
    yield "ranks", ([],), {}
    yield "named", ([0.5, 2.0, 1.0], [2.0, 0.5]), {}
