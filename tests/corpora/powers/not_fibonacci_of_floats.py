# refuse: ASC114 sums of floats are rounded
def fib(n: int) -> float:
    a, b = 0.0, 1.0
    for _ in range(n):
        a, b = b, a + 0.5 * b
    return a


def cases(rng):
    yield "fib", (30,), {}
