# may: ASC101 any scope=discount_in_place
# The caller's array is the result; a rewrite has to write into it too.
import numpy as np


def discount_in_place(rewards: np.ndarray, gamma: float) -> None:
    for t in range(len(rewards) - 2, -1, -1):
        rewards[t] += gamma * rewards[t + 1]


def cases(rng):
    for n in (1, 2, 40):
        yield "discount_in_place", (rng.standard_normal(n), 0.97), {}
        yield "discount_in_place", (rng.standard_normal((n, 3)).astype(np.float32), 0.97), {}
