# expect: SEP205 unsafe scope=by_dot
# expect: SEP205 safe scope=by_product
import numpy as np


def by_dot(X, Y, gamma):
    K = np.zeros((X.shape[0], Y.shape[0]))
    for i in range(X.shape[0]):
        for j in range(Y.shape[0]):
            d = X[i] - Y[j]
            K[i, j] = np.exp(-gamma * np.dot(d, d))
    return K


def by_product(X, Y, gamma):
    K = np.zeros((X.shape[0], Y.shape[0]))
    for i in range(X.shape[0]):
        for j in range(Y.shape[0]):
            d = X[i] - Y[j]
            K[i, j] = np.exp(-gamma * (d @ d))
    return K


def cases(rng):
    for n, m in ((5, 4), (1, 3), (2, 1)):
        X, Y = rng.normal(size=(n, 3)), rng.normal(size=(m, 3))
        yield "by_dot", (X, Y, 0.5), {}
        yield "by_product", (X, Y, 0.5), {}
