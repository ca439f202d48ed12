# expect: ASC114 safe scope=triangle
def triangle(n: int) -> int:
    total = 1
    for _ in range(n):
        total = 3 * total + 2
    return total


def cases(rng):
    for n in (0, 1, 2, 3, 100, 333, -4):
        yield "triangle", (n,), {}
