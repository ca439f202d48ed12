# expect: ASC105 safe scope=p_first


def p_first(xs: list[float]):
    m = xs[0]
    res = [m]
    for v in xs[1:]:
        m = max(m, v)
        res.append(m)
    return res


def cases(rng):
    yield "p_first", ([3, 1, 2],), {}
    yield "p_first", ([5],), {}
