# expect: ASC105 safe scope=below_the_peak
# expect: ASC105 safe scope=share_lost
# expect: ASC105 safe scope=above_what_follows
# expect: ASC105 safe scope=range_so_far
# expect: ASC105 safe scope=best_of_rows
import numpy as np


def below_the_peak(prices):
    peak = -np.inf
    lost = np.zeros(len(prices))
    for i in range(len(prices)):
        peak = max(peak, prices[i])
        lost[i] = peak - prices[i]
    return lost


def share_lost(prices):
    peak = prices[0]
    lost = np.empty(len(prices))
    for i in range(len(prices)):
        if prices[i] > peak:
            peak = prices[i]
        lost[i] = (peak - prices[i]) / peak
    return lost


def above_what_follows(levels):
    least = np.inf
    height = np.zeros(len(levels))
    for i in range(len(levels) - 1, -1, -1):
        least = min(least, levels[i])
        height[i] = levels[i] - least
    return height


def range_so_far(readings):
    low, high = np.inf, -np.inf
    width = np.zeros(len(readings))
    for t in range(len(readings)):
        low = min(low, readings[t])
        high = max(high, readings[t])
        width[t] = high - low
    return width


def best_of_rows(scores: np.ndarray):
    rows, steps = scores.shape
    best = scores[:, 0]
    regret = np.zeros((rows, steps))
    for t in range(steps):
        best = np.maximum(best, scores[:, t])
        regret[:, t] = best - scores[:, t]
    return regret


def cases(rng):
    for n in (1, 2, 17):
        for dtype in (np.float64, np.float32):
            values = rng.standard_normal(n).astype(dtype) + 9
            for name in ("below_the_peak", "share_lost", "above_what_follows", "range_so_far"):
                yield name, (values,), {}
                yield name, (np.round(values),), {}
            yield "best_of_rows", (rng.standard_normal((3, n)).astype(dtype),), {}
        yield "share_lost", (rng.integers(1, 9, n),), {}
