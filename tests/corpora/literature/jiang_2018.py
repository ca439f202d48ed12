"""Jiang et al., "Revealing Parallel Scans and Reductions in Recurrences through Function
Reconstruction" (PACT 2018)."""

import numpy as np


# sum-of-squares: one-pass
def sum_of_squares(xs):
    total = 0.0
    for x in xs:
        total += x * x
    return total


def dot(a, b):
    total = 0.0
    for i in range(len(a)):
        total += a[i] * b[i]
    return total


# pooling: one-pass
def maximum_and_sum(xs):
    top, total = float("-inf"), 0.0
    for x in xs:
        top = max(top, x)
        total += x
    return top, total


def maximum_if_positive(xs):
    top = 0.0
    for i in range(len(xs)):
        if xs[i] > 0 and xs[i] > top:
            top = xs[i]
    return top


# max-prefix-of-conditional: one-pass
def conditional_sum(xs, keep):
    total = 0.0
    for x, k in zip(xs, keep):
        if k:
            total += x
    return total


def conditional_restart(xs, starts):
    total = 0.0
    for i in range(len(xs)):
        if starts[i]:
            total = 0.0
        total += xs[i]
    return total


# prefix-scan: one-pass
def running_sums(xs):
    out, total = [], 0
    for x in xs:
        total += x
        out.append(total)
    return out


def running_maxima(a):
    out = np.empty_like(a)
    top = a[0]
    for i in range(len(a)):
        top = np.maximum(top, a[i])
        out[i] = top
    return out


# linear-recurrence: one-pass
def smoothed(xs, alpha):
    out, y = [], 0.0
    for x in xs:
        y = alpha * x + (1 - alpha) * y
        out.append(y)
    return out


def smoothed_array(a, b):
    y = np.zeros(len(a))
    for i in range(1, len(a)):
        y[i] = a[i] * y[i - 1] + b[i]
    return y


# two-state-filter: one-pass
def biquad(xs, b0, a1, a2):
    y1, y2 = 0.0, 0.0
    out = []
    for x in xs:
        y = b0 * x - a1 * y1 - a2 * y2
        y2 = y1
        y1 = y
        out.append(y)
    return out


def level_and_trend(xs, alpha, beta):
    level, trend = 0.0, 0.0
    for i in range(len(xs)):
        old = level
        level = alpha * xs[i] + (1 - alpha) * (level + trend)
        trend = beta * (level - old) + (1 - beta) * trend
    return level + trend


# clipped-accumulation: one-pass
def clipped_decay(xs, k):
    v = 0.0
    for x in xs:
        v = max(0.0, 0.9 * v + x - k)
    return v


def cusum(xs, mean, slack):
    high = low = 0.0
    for x in xs:
        high = max(0.0, high + x - mean - slack)
        low = min(0.0, low + x - mean + slack)
    return high, low


# largest-with-place: one-pass
def argmax_branch(a):
    best, place = float("-inf"), -1
    for i in range(len(a)):
        if a[i] > best:
            best = a[i]
            place = i
    return place


def argmin_last(xs):
    best, place = float("inf"), -1
    for i, x in enumerate(xs):
        if x <= best:
            best, place = x, i
    return best, place


# argmax-by-place: one-pass
def argmax_place_only(a):
    best = 0
    for i in range(1, len(a)):
        if a[i] > a[best]:
            best = i
    return best


def argmin_place_only(a):
    best = 0
    for i in range(1, len(a)):
        best = i if a[i] < a[best] else best
    return best


# last-nonzero: one-pass
def last_nonzero(xs):
    last = 0
    for x in xs:
        if x != 0:
            last = x
    return last


def fill_forward(a, missing):
    out, last = [], 0.0
    for i in range(len(a)):
        last = last if missing[i] else a[i]
        out.append(last)
    return out


# first-match: one-pass
def first_match(xs, wanted):
    place, found = -1, False
    for i in range(len(xs)):
        if not found and xs[i] == wanted:
            place = i
            found = True
    return place


def first_positive(xs):
    found, value = False, 0.0
    for x in xs:
        if x > 0 and not found:
            value = x
        found = found or x > 0
    return value


# softmax-denominator: one-pass
def online_softmax(xs):
    top, total = float("-inf"), 0.0
    for i in range(len(xs)):
        new = max(top, xs[i])
        total = total * np.exp(top - new) + np.exp(xs[i] - new)
        top = new
    return total


def online_softmax_branch(xs):
    top, total = float("-inf"), 0.0
    for i in range(len(xs)):
        if xs[i] > top:
            total = total * np.exp(top - xs[i]) + 1.0
            top = xs[i]
        else:
            total = total + np.exp(xs[i] - top)
    return total


# sum-of-running-maxima: staged
def sum_of_running_maxima(xs):
    top, total = float("-inf"), 0.0
    for x in xs:
        top = max(top, x)
        total += top
    return total


def water_above(heights):
    top, water = 0.0, 0.0
    for i in range(len(heights)):
        if heights[i] > top:
            top = heights[i]
        water += top - heights[i]
    return water
