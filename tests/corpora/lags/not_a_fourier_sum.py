# refuse: SYM603 the waves turn half as often, or are of another number of places
import cmath
import math


def padded(x: list[float], n: int):
    return [
        sum(x[t] * cmath.exp(-2j * cmath.pi * k * t / n) for t in range(len(x))) for k in range(n)
    ]


def half(x: list[float]):
    n = len(x)
    return [sum(x[t] * cmath.exp(-1j * cmath.pi * k * t / n) for t in range(n)) for k in range(n)]


def cosines(x: list[float]):
    n = len(x)
    return [sum(x[t] * math.cos(math.pi * k * (t + 0.5) / n) for t in range(n)) for k in range(n)]


def cases(rng):
    def L(n):
        return [float(v) for v in rng.normal(size=n)]

    for n in (7, 1):
        yield "padded", (L(n), 9), {}
        yield "half", (L(n),), {}
        yield "cosines", (L(n),), {}
