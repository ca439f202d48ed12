"""Farzan and Nicolet, "Phased Synthesis of Divide and Conquer Programs" (PLDI 2021), as single
passes: what a step knows is what came before it."""

import numpy as np


# max-difference: one-pass
def largest_gain(prices):
    """After "max diff": the best sale after a purchase."""
    low, gain = float("inf"), 0.0
    for i in range(len(prices)):
        gain = max(gain, prices[i] - low)
        low = min(low, prices[i])
    return gain


def largest_gain_branches(prices):
    low, gain = float("inf"), 0.0
    for p in prices:
        if p < low:
            low = p
        elif p - low > gain:
            gain = p - low
    return gain


# range-of-values: one-pass
def spread(xs):
    low, high = float("inf"), float("-inf")
    for x in xs:
        low, high = min(low, x), max(high, x)
    return high - low


def spread_branches(xs):
    low, high = float("inf"), float("-inf")
    for i in range(len(xs)):
        if xs[i] < low:
            low = xs[i]
        if xs[i] > high:
            high = xs[i]
    return high - low


# drawdown: one-pass
def drawdown(prices):
    peak, worst = float("-inf"), 0.0
    for p in prices:
        peak = max(peak, p)
        worst = max(worst, peak - p)
    return worst


def drawdown_array(prices):
    peak, worst = prices[0], 0.0
    for i in range(1, len(prices)):
        if prices[i] > peak:
            peak = prices[i]
        worst = np.maximum(worst, peak - prices[i])
    return worst


# orthogonal: one-pass
def minimal_points_front(xs, ys):
    """After "minimal points": whether the last point is dominated by none before it."""
    lowest, kept = float("inf"), False
    for i in range(len(xs)):
        kept = ys[i] < lowest
        lowest = min(lowest, ys[i])
    return kept


def minimal_points_count(ys):
    lowest = float("inf")
    last = float("inf")
    for y in ys:
        lowest = min(lowest, y)
        last = y
    return last == lowest


# peaks: one-pass
def count_peaks(a):
    count = 0
    for i in range(1, len(a) - 1):
        if a[i - 1] < a[i] and a[i] > a[i + 1]:
            count += 1
    return count


def count_peaks_carried(xs):
    count = 0
    before, last = float("inf"), float("inf")
    for x in xs:
        if before < last and last > x:
            count += 1
        before, last = last, x
    return count


# rises: one-pass
def count_rises(xs):
    count, last = 0, float("inf")
    for x in xs:
        if x > last:
            count += 1
        last = x
    return count


def count_rises_indexed(a):
    count = 0
    for i in range(1, len(a)):
        count += a[i] > a[i - 1]
    return count


# longest-rise: one-pass
def longest_rise(xs):
    run, best, last = 0, 0, float("inf")
    for x in xs:
        run = run + 1 if x > last else 1
        best = max(best, run)
        last = x
    return best


def longest_rise_indexed(a):
    run = best = 1
    for i in range(1, len(a)):
        if a[i] > a[i - 1]:
            run += 1
        else:
            run = 1
        if run > best:
            best = run
    return best


# closest-to: one-pass
def closest(xs, target):
    gap, found = float("inf"), 0.0
    for x in xs:
        if abs(x - target) < gap:
            gap = abs(x - target)
            found = x
    return found


def closest_indexed(a, target):
    gap, found = float("inf"), -1
    for i in range(len(a)):
        d = abs(a[i] - target)
        if d <= gap:
            gap, found = d, i
    return found


# two-largest-product: one-pass
def two_largest(xs):
    first, second = float("-inf"), float("-inf")
    for x in xs:
        if x > first:
            first, second = x, first
        elif x > second:
            second = x
    return first * second


def two_largest_calls(a):
    first, second = float("-inf"), float("-inf")
    for i in range(len(a)):
        second = max(second, min(first, a[i]))
        first = max(first, a[i])
    return first * second


# max-min-plus: one-pass
def widest_path_step(widths):
    """After the lattice programs: a step narrows, a second source widens."""
    width = float("inf")
    for i in range(len(widths)):
        width = max(min(width, widths[i, 0]), widths[i, 1])
    return width


def widest_path_branches(a, b):
    width = float("inf")
    for i in range(len(a)):
        if a[i] < width:
            width = a[i]
        if b[i] > width:
            width = b[i]
    return width
