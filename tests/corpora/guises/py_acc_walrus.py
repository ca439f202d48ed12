# expect: ASC105 safe scope=py_acc_walrus


def py_acc_walrus(xs: list[int]):
    total = 0
    return [total := total + v for v in xs]


def cases(rng):
    yield "py_acc_walrus", ([1, 3, 2],), {}
    yield "py_acc_walrus", ([],), {}
