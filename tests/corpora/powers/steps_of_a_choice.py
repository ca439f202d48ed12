# expect: ASC114 safe scope=power
# expect: ASC114 safe scope=at_least_one
# expect: ASC114 safe scope=folded
import functools
import operator


def power(x: int, n: int) -> int:
    result = 1
    for _ in range(n if n else 0):
        result *= x
    return result


def at_least_one(x: int, n: int) -> int:
    result = 1
    for _ in range(n or 1):
        result *= x
    return result


def folded(x: int, n: int) -> int:
    return functools.reduce(operator.mul, [x] * (n if n < 9 else 9), 1)


def cases(rng):
    for n in (-3, 0, 1, 2, 12):
        yield "power", (2, n), {}
        yield "at_least_one", (2, n), {}
        yield "folded", (2, n), {}
