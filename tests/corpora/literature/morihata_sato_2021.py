"""Morihata and Sato, "Reverse Engineering for Reduction Parallelization via Semiring Polynomials"
(PLDI 2021): loops whose steps are polynomials over some semiring."""

import numpy as np
import torch


# horner: one-pass
def horner(coefficients, x):
    value = 0
    for c in coefficients:
        value = c + x * value
    return value


def horner_array(coefficients, x):
    value = 0.0
    for i in range(len(coefficients) - 1, -1, -1):
        value = coefficients[i] + x * value
    return value


# fibonacci-like: one-pass
def second_order(xs):
    a, b = 0.0, 1.0
    for x in xs:
        a, b = b, a + b * x
    return b


def second_order_names(xs):
    a, b = 0.0, 1.0
    for i in range(len(xs)):
        old = a
        a = b
        b = old + xs[i] * b
    return a


# complex-product: one-pass
def complex_product(re, im):
    a, b = 1.0, 0.0
    for i in range(len(re)):
        a, b = a * re[i] - b * im[i], a * im[i] + b * re[i]
    return a, b


def complex_numbers(zs):
    z = 1 + 0j
    for w in zs:
        z = z * w
    return z


# matrix-power-sum: one-pass
def geometric(xs):
    total, power = 0.0, 1.0
    for x in xs:
        power = power * x
        total = total + power
    return total


def geometric_scaled(xs, r):
    total, weight = 0.0, 1.0
    for i in range(len(xs)):
        total += weight * xs[i]
        weight *= r
    return total


# max-segment-sum: one-pass
def max_segment(xs):
    ending, best = 0, 0
    for x in xs:
        ending = max(0, ending + x)
        best = max(best, ending)
    return best


def max_segment_tuple(xs):
    state = (0, 0)
    for x in xs:
        ending = max(0, state[0] + x)
        state = (ending, max(state[1], ending))
    return state[1]


# independent-set: one-pass
def independent_set(weights):
    """After "maximum weight independent sublist": no two neighbours are taken."""
    taken, free = 0, 0
    for w in weights:
        taken, free = free + w, max(taken, free)
    return max(taken, free)


def independent_set_array(a):
    taken, free = np.float64(0), np.float64(0)
    for i in range(a.shape[0]):
        new = free + a[i]
        free = np.maximum(free, taken)
        taken = new
    return np.maximum(taken, free)


# viterbi: one-pass
def viterbi(scores, stay, switch):
    a, b = 0.0, 0.0
    for i in range(scores.shape[0]):
        a, b = (
            scores[i, 0] + max(a + stay, b + switch),
            scores[i, 1] + max(a + switch, b + stay),
        )
    return max(a, b)


def viterbi_shortest(costs, other, change):
    a = b = 0.0
    for i in range(len(costs)):
        left = min(a, b + change) + costs[i]
        right = min(b, a + change) + other[i]
        a, b = left, right
    return min(a, b)


# probability: one-pass
def forward(emissions, stay):
    a, b = 0.5, 0.5
    for i in range(emissions.shape[0]):
        a, b = (
            emissions[i, 0] * (a * stay + b * (1 - stay)),
            emissions[i, 1] * (a * (1 - stay) + b * stay),
        )
    return a + b


def log_forward(scores):
    total = float("-inf")
    for i in range(len(scores)):
        total = np.logaddexp(total, scores[i])
    return total


# bounded: one-pass
def saturating(xs, low, high):
    level = 0.0
    for x in xs:
        level = min(max(level + x, low), high)
    return level


def saturating_branches(xs):
    level = 0.0
    for i in range(len(xs)):
        level += xs[i]
        if level > 10.0:
            level = 10.0
        elif level < 0.0:
            level = 0.0
    return level


# carry: one-pass
def carry(a, b):
    """After "ripple carry": whether the addition of two bit lists overflows."""
    carried = False
    for i in range(len(a)):
        carried = (a[i] and b[i]) or (carried and (a[i] or b[i]))
    return carried


def carry_conditional(propagate, generate):
    carried = False
    for p, g in zip(propagate, generate):
        carried = True if g else (carried if p else False)
    return carried


# continued-fraction: one-pass
def continued_fraction(xs):
    value = 1.0
    for x in xs:
        value = x + 1.0 / value
    return value


def thomas_sweep(lower, diagonal, upper):
    ratio = 0.0
    for i in range(len(diagonal)):
        ratio = upper[i] / (diagonal[i] - lower[i] * ratio)
    return ratio


# weighted-prefix: one-pass
def weighted_prefixes(xs, w):
    total, prefix = 0.0, 0.0
    for i in range(len(xs)):
        prefix = prefix + xs[i]
        total = total + w[i] * prefix
    return total


def sum_of_prefixes(xs):
    total = prefix = 0
    for x in xs:
        prefix += x
        total += prefix
    return total


# variance: one-pass
def moments(xs):
    n, s, q = 0, 0.0, 0.0
    for x in xs:
        n += 1
        s += x
        q += x * x
    return q / n - (s / n) ** 2


def welford(xs):
    n, mean, m2 = 0, 0.0, 0.0
    for x in xs:
        n += 1
        d = x - mean
        mean += d / n
        m2 += d * (x - mean)
    return m2 / n


# parity-sums: one-pass
def alternating(xs):
    sign, total = 1, 0
    for x in xs:
        total += sign * x
        sign = -sign
    return total


def alternating_flag(xs):
    even, total = True, 0
    for x in xs:
        if even:
            total += x
        else:
            total -= x
        even = not even
    return total


# recurrence-tensor: one-pass
def decayed_state(gates, inputs):
    state = torch.zeros(inputs.shape[1])
    for t in range(inputs.shape[0]):
        state = gates[t] * state + inputs[t]
    return state


def matrix_state(a, keys, values):
    state = torch.zeros(keys.shape[1], values.shape[1])
    for t in range(keys.shape[0]):
        state = a[t] * state + torch.outer(keys[t], values[t])
    return state
