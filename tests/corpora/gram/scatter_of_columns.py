# expect: SYM602 safe scope=within
# expect: SYM602 safe scope=of_a_class
# expect: LOC301 safe scope=crossed
import numpy as np


def within(samples: np.ndarray):
    n, d = samples.shape
    centre = samples.mean(axis=0)
    scatter = np.zeros((d, d))
    for i in range(n):
        away = (samples[i] - centre).reshape(d, 1)
        scatter += away @ away.T
    return scatter


def of_a_class(rows, mean):
    d = rows.shape[1]
    scatter = np.zeros((d, d))
    for row in rows:
        row, mv = row.reshape(d, 1), mean.reshape(d, 1)
        scatter += (row - mv).dot((row - mv).T)
    return scatter


def crossed(x: np.ndarray, y: np.ndarray):
    total = np.zeros((x.shape[1], y.shape[1]))
    for t in range(len(x)):
        total += x[t].reshape(-1, 1) @ y[t].reshape(1, -1)
    return total


def cases(rng):
    for n, d in ((5, 3), (4, 4), (1, 2), (3, 1)):
        x = rng.normal(size=(n, d))
        yield "within", (x,), {}
        yield "of_a_class", (x, x.mean(0)), {}
        yield "crossed", (x, rng.normal(size=(n, 2))), {}
