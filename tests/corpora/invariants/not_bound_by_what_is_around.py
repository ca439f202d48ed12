# refuse: comprehensions and lambdas around the loop bind what the term reads
import numpy as np


def sums(x: np.ndarray, y: list):
    return [[x[i].sum() + b for b in y] for i in range(len(x))]


def of_the_same(x: np.ndarray, y: list):
    return np.array([[x[i].sum() for _ in range(len(y))] for i in range(len(x))])


def by_lambda(x: np.ndarray, y: list):
    return list(map(lambda row: [row.sum() + b for b in y], x))


def cases(rng):
    for name in ("sums", "of_the_same", "by_lambda"):
        yield name, (rng.normal(size=(3, 2)), [1.0, 2.0]), {}
