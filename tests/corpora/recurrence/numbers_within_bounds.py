# expect: ASC104 safe scope=waiting_times
# expect: ASC104 safe scope=chart
# expect: ASC104 safe scope=store
# expect: ASC104 safe scope=fading
import numpy as np


def waiting_times(service: np.ndarray, gap: np.ndarray):
    wait = np.zeros_like(service)
    for i in range(1, len(service)):
        wait[i] = max(0, wait[i - 1] + service[i] - gap[i])
    return wait


def chart(x: np.ndarray, slack: float):
    found = np.zeros(len(x))
    high = 0.0
    for i, value in enumerate(x):
        high += value - slack
        if high < 0:
            high = 0.0
        found[i] = high
    return found


def store(x: np.ndarray, room: float):
    levels = []
    level = 0.0
    for value in x:
        level = np.clip(level + value, 0.0, room)
        levels.append(level)
    return np.array(levels)


def fading(x: np.ndarray):
    peaks = np.empty(len(x))
    peak = x[0]
    for t in range(len(x)):
        peak = max(peak * 0.9, x[t])
        peaks[t] = peak
    return peaks


def cases(rng):
    for n in (1, 2, 7, 151):
        x, y = rng.standard_normal((2, n))
        yield "waiting_times", (x, y), {}
        yield "chart", (x, 0.1), {}
        yield "store", (x, 1.0), {}
        yield "fading", (np.abs(x),), {}
        yield "store", (x[::-1], 0.25), {}
