# expect: RED503 safe scope=fib


def fib(n):
    """The n-th number of Fibonacci."""
    return n if n < 2 else fib(n - 1) + fib(n - 2)


def numbers(count):
    return [fib(k) for k in range(count)]


def cases(rng):
    for n in (0, 1, 12):
        yield "numbers", (n,), {}
    yield "fib", (True,), {}
    yield "fib", (3.0,), {}
