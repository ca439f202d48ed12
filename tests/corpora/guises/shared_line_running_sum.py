# expect: ASC105 safe scope=f
# fmt: off
def f(xs: list[int]):
    s = 0; n = len(xs); out = []
    for x in xs:
        s += x; out.append(s)
    return out, n
def cases(rng):
    yield "f", ([1,2,3],), {}
    yield "f", ([],), {}
