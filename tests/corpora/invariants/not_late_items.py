# refuse: the items of these generators are computed after what they read has changed
import numpy as np


def within_the_loop(W, n):
    out = []
    for v in (np.sort(W).sum() * i for i in range(n)):
        W += 1
        out.append(float(v))
    return out


def beside_others(W, n):
    out = []
    for i, v in zip(range(n), (np.exp(W).sum() * i for i in range(n))):
        W += 1
        out.append(float(v))
    return out


def by_another_name(W, n):
    V = W
    items = (np.exp(W).sum() * i for i in range(n))
    V += 1
    return list(items)


def bound_anew(W, n):
    items = (np.exp(W).sum() * i for i in range(n))
    W = W * 0
    return list(items)


def taken_one_by_one(W, n):
    items = (np.exp(W).sum() * i for i in range(n))
    first = next(items)
    W[:] = 0
    return first, list(items)


def handed_out(W, n):
    return (float(np.exp(W).sum()) * i for i in range(n))


def of_a_product(x, W):
    y = x @ W
    items = ((x @ W) * i for i in range(2))
    x += 1
    return y, list(items)


def sorted_twice(xs, W):
    first = sorted(xs)
    items = (sorted(xs)[len(W) // 2] + w for w in W)
    xs.append(-100)
    return first, list(items)


def consumed(W, n):
    out = []
    for item in handed_out(W, n):
        W += 1
        out.append(item)
    return out


def cases(rng):
    for name in ("within_the_loop", "beside_others", "by_another_name", "bound_anew",
                 "taken_one_by_one", "consumed"):  # fmt: skip
        yield name, (rng.normal(size=3), 3), {}
    yield "of_a_product", (rng.normal(size=(2, 3)), rng.normal(size=(3, 2))), {}
    yield "sorted_twice", ([3, 1, 2], [1, 2]), {}
