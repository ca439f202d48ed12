# expect: SPA406 safe scope=confusion
# expect: SPA406 safe scope=transitions
import numpy as np


def confusion(truth: np.ndarray, guess: np.ndarray, n: int):
    table = np.zeros((n, n), dtype=int)
    for i in range(len(truth)):
        table[truth[i]][guess[i]] += 1
    return table


def transitions(states: np.ndarray, n: int):
    counts = np.zeros((n, n))
    for a, b in zip(states[:-1], states[1:]):
        counts[a][b] += 1.0
    return counts


def cases(rng):
    for n in (1, 2, 41):
        yield "confusion", (rng.integers(0, 5, n), rng.integers(0, 5, n), 5), {}
        yield "transitions", (rng.integers(0, 5, n), 5), {}
