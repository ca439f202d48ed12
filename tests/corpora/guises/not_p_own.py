# refuse: reads another item of the list


def p_own(xs: list[int]):
    pre = [0]
    for v in xs:
        pre.append(pre[-1] + pre[0] + v)
    return pre


def cases(rng):
    yield "p_own", ([3, 1, 2],), {}
    yield "p_own", ([5],), {}
