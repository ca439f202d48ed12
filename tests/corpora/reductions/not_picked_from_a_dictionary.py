# refuse: ASC106 nothing says that the prices are an array
import numpy as np


def bill(prices, items: np.ndarray) -> float:
    total = 0.0
    for i in range(len(items)):
        total += prices[items[i]]
    return total


def cases(rng):
    yield "bill", ({0: 1.5, 7: 2.5}, np.array([7, 0, 7])), {}
