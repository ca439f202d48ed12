# expect: ASC105 safe scope=py_zero


def py_zero(xs: list[int]):
    pre = [0]
    for v in xs:
        pre.append(pre[-1] + v)
    return pre


def cases(rng):
    yield "py_zero", ([1, 3, 2],), {}
    yield "py_zero", ([],), {}
