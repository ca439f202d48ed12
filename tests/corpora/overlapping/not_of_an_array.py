# refuse: RED503 the file passes an array, which cannot be hashed
import numpy as np


def fib(n):
    if n < 2:
        return n
    return fib(n - 1) + fib(n - 2)


def of_an_array():
    six = np.array(6)
    return fib(six)


def cases(rng):
    yield "of_an_array", (), {}
