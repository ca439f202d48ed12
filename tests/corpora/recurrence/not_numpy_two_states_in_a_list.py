# refuse: ASC104 the last values are those of a list, which are numbers of Python
# may: ASC101 advice scope=slope
import numpy as np


def slope(y: list, alpha: float, beta: float):
    level, trend = 0.0, 0.0
    for value in y:
        last = level
        level = alpha * value + (1 - alpha) * (level + trend)
        trend = beta * (level - last) + (1 - beta) * trend
    return trend, np.asarray(y).mean()


def cases(rng):
    for n in (1, 2, 140):
        yield "slope", ([*map(float, rng.standard_normal(n))], 0.2, 0.5), {}
