# expect: RED503 safe scope=fib


def fib(n):
    return n if n < 2 else fib(n - 1) + fib(n - 2)


def about():
    return fib.__name__, fib.__doc__, fib(6)


def cases(rng):
    yield "about", (), {}
