# refuse: the start is bound again


def p_late(xs: list[int], k):
    pre = [k]
    k = 7
    for v in xs:
        pre.append(pre[-1] + v)
    return pre, k


def cases(rng):
    yield "p_late", ([1, 2], 5), {}
