# expect: ASC104 safe scope=forecast
import numpy as np


def forecast(y: np.ndarray, alpha: float, beta: float, steps: int):
    level, trend = y[0], 0.0
    for t in range(1, len(y)):
        prev = level
        level = alpha * y[t] + (1 - alpha) * (prev + trend)
        trend = beta * (level - prev) + (1 - beta) * trend
    return level + trend * np.arange(1, steps + 1)


def cases(rng):
    for n in (2, 3, 140):
        yield "forecast", (rng.standard_normal(n).cumsum(), 0.2, 0.5, 4), {}
