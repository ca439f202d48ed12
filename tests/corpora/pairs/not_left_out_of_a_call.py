# refuse: what the function does not read, or not always, is computed for each call, and may raise
import numpy as np


def distance(x, y, weight):
    return ((x - y) ** 2).sum()


def short(X, Y, w):
    t = 0.0
    for i in range(len(X)):
        for j in range(len(Y)):
            t += distance(X[i], Y[j], w[i])
    return t


def divided(X, Y, c):
    t = 0.0
    for i in range(len(X)):
        for j in range(len(Y)):
            t += distance(X[i], Y[j], 1 / c)
    return t


def cases(rng):
    points = rng.normal(size=(3, 2)), rng.normal(size=(4, 2))
    yield "short", (*points, np.ones(3)), {}
    yield "divided", (*points, 2.0), {}
