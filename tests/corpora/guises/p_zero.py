# expect: ASC105 safe scope=p_zero


def p_zero(xs: list[int]):
    pre = [0]
    for v in xs:
        pre.append(pre[-1] + v)
    return pre


def cases(rng):
    yield "p_zero", ([3, 1, 2],), {}
    yield "p_zero", ([5],), {}
