# expect: ASC104 safe scope=holt
import numpy as np


def holt(series: np.ndarray, alpha: float, beta: float):
    level, trend = series[0], series[1] - series[0]
    fitted = [level]
    for value in series[1:]:
        last = level
        level = alpha * value + (1 - alpha) * (level + trend)
        trend = beta * (level - last) + (1 - beta) * trend
        fitted.append(level + trend)
    return np.array(fitted)


def cases(rng):
    for n in (2, 3, 140):
        yield "holt", (rng.standard_normal(n).cumsum(), 0.2, 0.5), {}
