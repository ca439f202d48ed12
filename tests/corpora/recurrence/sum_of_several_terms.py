# may: ASC105 safe scope=f
def f(x: list[int], y: list[int], c: float):
    s = 0.0
    out = []
    for v in x:
        s = s + (v + (3)) * ((0.5) * (v)) + (-((3) * v))
        out.append(s)
    return out


def cases(rng):
    yield "f", ([1, 4, -2], [], 0.0), {}
    yield "f", ([], [], 0.0), {}
