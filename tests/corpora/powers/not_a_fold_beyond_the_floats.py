# expect: ASC114 unsafe scope=power
import math


def power(x: float, n: int):
    return math.prod([x] * n)


def far():
    return power(10.0, 400)


def cases(rng):
    yield "far", (), {}
