# expect: RED501 safe scope=price
# expect: RED501 safe scope=smoothed
# expect: RED501 safe scope=series
# expect: RED501 safe scope=scores
import math
import statistics


def discount(rate: float, years: int) -> float:
    return math.exp(-rate * years)


def width(h: float) -> float:
    return math.sqrt(2 * math.pi) * h


def price(units: list[float], costs: list[float], rate: float, years: int) -> float:
    total = 0.0
    for u, c in zip(units, costs):
        total += u * c * discount(rate, years)
    return total


def smoothed(xs: list[float], h: float) -> list[float]:
    return [math.exp(-x * x / width(h)) for x in xs]


def series(n: int, alpha: float) -> float:
    s, i = 0.0, 0
    while i < n:
        s += discount(alpha, 3) * i
        i += 1
    return s


def scores(xs: list[float]) -> list[float]:
    return [x - statistics.mean(xs) for x in xs]


def cases(rng):
    for n in (0, 1, 4):
        values = [float(v) for v in rng.standard_normal(n)]
        yield "price", (values, values[::-1], 0.1, 3), {}
        yield "smoothed", (values, 0.5), {}
        yield "series", (n, 0.5), {}
        yield "scores", (values,), {}
