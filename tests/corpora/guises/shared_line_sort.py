# expect: ASC110 safe scope=f
# fmt: off
def f(xs: list[int], k: int):
    a = list(xs)
    a.sort(reverse=True); b = 3
    return a[:k], b
def cases(rng):
    yield "f", ([1,2,3], 2), {}
    yield "f", ([], 2), {}
