# expect: ASC114 safe scope=fibonacci
def fibonacci(n: int) -> int:
    previous = 0
    current = 1
    for _ in range(n):
        following = previous + current
        previous = current
        current = following
    return previous


def cases(rng):
    for n in (0, 1, 2, 3, 10, 64, 500, -1):
        yield "fibonacci", (n,), {}
