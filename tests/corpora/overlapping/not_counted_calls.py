# refuse: RED503 every call is counted

CALLS = [0]


def fib(n: int) -> int:
    CALLS[0] += 1
    return n if n < 2 else fib(n - 1) + fib(n - 2)


def run(n):
    CALLS[0] = 0
    return fib(n), CALLS[0]


def cases(rng):
    yield "run", (8,), {}
