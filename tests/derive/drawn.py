"""Loops of which the generated tests have to draw more than numbers."""

import numpy as np
import torch


def back(xs: list[float]):
    g = 0.0
    for i in range(len(xs) - 1, -1, -1):
        g = xs[i] + 0.99 * g
    return g


def rises(xs: list[int]):
    i, n = 1, 0
    while i < len(xs):
        if xs[i] > xs[i - 1]:
            n += 1
        i += 1
    return n


def neighbours(xs):
    total = 0
    for i in range(1, len(xs) - 1):
        total += xs[i - 1] * xs[i + 1]
    return total


def rows(a):
    best = 0
    for i in range(len(a)):
        row = 0
        for j in range(len(a[i])):
            row += a[i][j]
        best = max(best, row)
    return best


def entries(a: np.ndarray, k: int):
    total = 0.0
    for i in range(1, a.shape[0]):
        total = 0.5 * total + a[i, k]
    return total


def tensors(x: torch.Tensor):
    h = 0
    for t in range(1, len(x)):
        h = 2 * h + x[t] - x[t - 1]
    return h


def whole_rows(a: np.ndarray):
    most = 0
    for row in a:
        most = max(most, row.sum())
    return most


def letters(text, at):
    h = 0
    for i in at:
        h = (h * 31 + ord(text[i])) % 1009
    return h


def sizes(lines: list[str]):
    n = {}
    for line in lines:
        level, _, msg = line.partition(" ")
        n[level] = n.get(level, 0) + len(msg)
    return n


def braces(lines: list[str]):
    depth = worst = 0
    for line in lines:
        depth += line.count("{") - line.count("}")
        worst = max(worst, depth)
    return worst


def joined(xs):
    s = ""
    for x in xs:
        s += x
    return s


def last_word(words):
    last = ""
    for word in words:
        last = max(last, word)
    return last


def longest(xs: list[str]):
    best = ""
    for s in xs:
        best = s if len(s) >= len(best) else best
    return best


def said_alone(pairs: list[tuple[str, int]]):
    named, total = "", 0
    for name, weight in pairs:
        named, total = named + name, total + weight
    return named, total


def best_pair(rows):
    best = (-1, 0)
    for row in rows:
        best = max(best, row)
    return best


def turned(xs):
    z = 0j
    for x in xs:
        z = z * 1j + x
    return z


def parallel(xs: list[float]):
    r = 1e9
    for x in xs:
        r = r * x / (r + x)
    return r


def overdrawn(amounts, start):
    balance, ever = 0, False
    for amount in amounts:
        balance += amount
        if balance + start < 0:
            ever = True
    return ever


def product_of_two(xs):
    first, second = float("-inf"), float("-inf")
    for x in xs:
        if x > first:
            first, second = x, first
        elif x > second:
            second = x
    return first * second


def decayed(gates: list[float], inputs: list[float], state: float):
    for t in range(len(gates)):
        state = gates[t] * state + inputs[t]
    return state


def outer_products(a: torch.Tensor, keys: torch.Tensor):
    total = 0
    for t in range(a.shape[0]):
        total = a[t] * total + torch.outer(keys[t], keys[t])
    return total


def squares_in_an_array(x: np.ndarray, scale: float):
    out = np.zeros_like(x)
    for i in range(len(x)):
        out[i] = scale * x[i]
    return out
