# expect: ASC105 safe scope=p_sq


def p_sq(xs: list[float]):
    pre = [1.0]
    for i, v in enumerate(xs):
        pre.append(pre[-1] * (1 + v * i))
    return pre


def cases(rng):
    yield "p_sq", ([3, 1, 2],), {}
    yield "p_sq", ([5],), {}
