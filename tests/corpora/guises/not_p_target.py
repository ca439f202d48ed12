# refuse: the loop variable is used afterwards


def p_target(xs: list[int]):
    pre = [0]
    v = -1
    for v in xs:
        pre.append(pre[-1] + v)
    return pre, v


def cases(rng):
    yield "p_target", ([3, 1, 2],), {}
    yield "p_target", ([5],), {}
