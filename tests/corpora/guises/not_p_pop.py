# refuse: takes items from what it walks


def p_pop(xs: list[int]):
    pre = [0]
    for v in xs:
        pre.append(pre[-1] + xs.pop())
    return pre


def cases(rng):
    yield "p_pop", ([3, 1, 2],), {}
    yield "p_pop", ([5],), {}
