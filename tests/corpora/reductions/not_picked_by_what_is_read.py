# refuse: ASC106 the place is what the loop has so far
import numpy as np


def walk(links: np.ndarray, cost: np.ndarray, steps: int) -> float:
    at, total = 0, 0.0
    for _ in range(steps):
        total += cost[at]
        at = links[at]
    return total


def cases(rng):
    yield "walk", (rng.integers(0, 5, 5), rng.random(5), 7), {}
    yield "walk", (rng.integers(0, 5, 5), rng.random(5), 0), {}
