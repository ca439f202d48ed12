# expect: ASC110 safe scope=top_by_size


def top_by_size(points: list[float], k: int):
    return sorted(points, key=abs)[::-1][:k]


def cases(rng):
    for k in (0, 2, -1, 9):
        yield "top_by_size", ([1.0, -1.0, 2.0, -2.0, 2.0, 0.5], k), {}
