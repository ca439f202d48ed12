# expect: ASC114 safe scope=grown
def grown(x: list[int]):
    p = 1
    for _ in range(len(x)):
        p = p * 3
    return p


def cases(rng):
    yield "grown", ([5, 2, 9, -1, 4],), {}
    yield "grown", ([],), {}
