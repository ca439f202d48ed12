# expect: ASC114 safe scope=fib
def fib(n):
    if n < 2:
        return n
    a, b = 0, 1
    for _ in range(2, n + 1):
        a, b = b, a + b
    return b


def cases(rng):
    for n in (0, 1, 2, 3, 17, 300):
        yield "fib", (n,), {}
