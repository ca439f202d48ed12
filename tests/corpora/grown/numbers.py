# expect: RED511 safe scope=collected
# expect: RED511 safe scope=split_by_sign
# expect: RED511 safe scope=averages
# expect: RED511 safe scope=lit
import numpy as np


def collected(xs):
    out = np.array([])
    for v in xs:
        out = np.append(out, v * 2.0)
    return out


def split_by_sign(values, labels):
    pos = np.array([])
    neg = np.zeros(0)
    for x, y in zip(values, labels):
        if y > 0:
            pos = np.append(pos, x)
        else:
            neg = np.append(neg, [x, -x])
    return pos, neg


def averages(prices, window):
    means = np.empty(0)
    for i in range(window, len(prices)):
        means = np.hstack((means, np.mean(prices[i - window : i])))
    return means


def lit(img: np.ndarray):
    points = np.empty((0, 2))
    for i in range(img.shape[0]):
        for j in range(img.shape[1]):
            if img[i, j] > 0:
                points = np.append(points, [[i, j]], axis=0)
    return points


def cases(rng):
    yield "collected", (list(rng.normal(size=5)),), {}
    yield "collected", ([],), {}
    yield "split_by_sign", (list(rng.normal(size=5)), list(rng.normal(size=5))), {}
    yield "split_by_sign", ([], []), {}
    yield "averages", (rng.normal(size=9), 3), {}
    yield "averages", (rng.normal(size=2), 3), {}
    yield "lit", (rng.normal(size=(3, 4)),), {}
    yield "lit", (-np.ones((2, 1)),), {}
