"""Softmax over a list that is read in passes.

The first version reads the scores three times: for the largest, for the sum, for the result. The
second finds the largest and the sum in one pass: whenever a new largest score turns up, the sum
so far was measured against the wrong one, and is scaled to the new.
"""

import math
import random


def three_pass_softmax(scores: list[float]) -> list[float]:
    largest = scores[0]
    for x in scores:
        if x > largest:
            largest = x
    total = 0.0
    for x in scores:
        total += math.exp(x - largest)
    return [math.exp(x - largest) / total for x in scores]


def online_softmax(scores: list[float]) -> list[float]:
    largest = -math.inf
    total = 0.0
    for x in scores:
        if x > largest:
            total = total * math.exp(largest - x) + 1.0
            largest = x
        else:
            total += math.exp(x - largest)
    return [math.exp(x - largest) / total for x in scores]


def three_pass_softmax_inputs(n=50_000):
    draw = random.Random(0)
    return ([draw.gauss(0, 5) for _ in range(n)],)


def online_softmax_inputs():
    return three_pass_softmax_inputs()


if __name__ == "__main__":
    a = three_pass_softmax(*three_pass_softmax_inputs())
    b = online_softmax(*online_softmax_inputs())
    print(len(a), f"{max(abs(p - q) for p, q in zip(a, b, strict=True)):.1e}")
