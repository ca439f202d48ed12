# refuse: a range takes no fraction

import math


def squares_below_half(n):
    i = 0
    s = 0
    while i < n / 2:
        s += i * i
        i += 1
    return s


def below_root(n):
    number = 0
    total = 0
    while number < n**0.5:
        total += number
        number += 1
    return total


def has_divisor(n):
    at = 2
    while at < math.sqrt(n) + 1:
        if n % at == 0:
            return True
        at += 1
    return False


def scaled(n, values):
    at = 0
    total = 0.0
    while at < n * 0.5:
        total += values[at]
        at += 1
    return total


def stepped(end: float, values):
    at = 0
    total = 0.0
    while at < end:
        total += values[at]
        at += 1
    return total


def cases(rng):
    values = list(rng.standard_normal(9))
    for n in (0, 1, 5, 16):
        yield "squares_below_half", (n,), {}
        yield "below_root", (n,), {}
        yield "has_divisor", (n + 1,), {}
        yield "scaled", (n, values), {}
        yield "stepped", (n / 2, values), {}
