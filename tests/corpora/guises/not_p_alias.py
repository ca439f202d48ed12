# refuse: the list has another name


def p_alias(xs: list[int]):
    pre = [0]
    same = pre
    for v in xs:
        pre.append(pre[-1] + v)
    return pre, same


def cases(rng):
    yield "p_alias", ([3, 1, 2],), {}
    yield "p_alias", ([5],), {}
