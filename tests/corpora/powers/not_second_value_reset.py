# refuse: ASC114 a step depends on a condition of the state
def walk(n: int) -> int:
    a, b = 0, 1
    for _ in range(n):
        a, b = b, a + b
        if b % 5 == 0:
            a = 0
    return b


def cases(rng):
    yield "walk", (20,), {}
