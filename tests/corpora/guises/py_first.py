# expect: ASC105 safe scope=py_first


def py_first(xs: list[float]):
    m = xs[0]
    res = [m]
    for v in xs[1:]:
        m = max(m, v)
        res.append(m)
    return res


def cases(rng):
    yield "py_first", ([1.0, 3.0, 2.0],), {}
