# expect: ASC114 safe scope=fib
def fib(n: int, m: int) -> int:
    x, y = 0, 1
    i = 0
    while i < n:
        x, y = y, (x + y) % m
        i += 1
    return x


def cases(rng):
    for n, m in ((0, 7), (1, 1), (2, 1), (1, 5), (12, 10), (1000, 1000000007), (5, -3)):
        yield "fib", (n, m), {}
