# refuse: RED503 a function with a cache has no code of its own


def fib(n):
    return n if n < 2 else fib(n - 1) + fib(n - 2)


def about():
    return fib.__name__, fib.__code__.co_argcount, fib(6)


def cases(rng):
    yield "about", (), {}
