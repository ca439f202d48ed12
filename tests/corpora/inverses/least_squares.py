# expect: RED507 safe scope=fit
from numpy.linalg import inv


def fit(x, y, penalty=0.0):
    n, d = x.shape
    gram = x.T.dot(x)
    gram[range(d), range(d)] += penalty
    return inv(gram).dot(x.T).dot(y)


def cases(rng):
    yield "fit", (rng.standard_normal((9, 3)), rng.standard_normal(9)), {}
    yield "fit", (rng.standard_normal((7, 1)), rng.standard_normal(7), 0.5), {}
