# expect: ASC106 safe scope=mean
# expect: ASC106 safe scope=squares
# expect: ASC106 safe scope=chosen
# expect: ASC106 safe scope=counted
# expect: ASC106 safe scope=ratios
# may: ASC106 safe scope=negated
# may: ASC106 safe scope=largest
# may: ASC106 safe scope=bounded
import numpy as np


def mean(x: np.ndarray, y: np.ndarray):
    (n,) = y.shape
    (m,) = x.shape
    s = 0.0
    for i in range(len(x)):
        s += (x + y)[i] / n
    return s


def squares(x: np.ndarray, y: np.ndarray):
    s = 0.0
    for v in x - y:
        s += v**2
    return s


def chosen(x: np.ndarray, flag: bool):
    s = 0.0
    for v in x if flag else -x:
        s += v * 2
    return s


def counted(x: np.ndarray, y: np.ndarray):
    n = 0
    for i in range(len(x)):
        if (x - y)[i] * 2 > 1:
            n += 1
    return n


def ratios(x: np.ndarray, y: np.ndarray):
    s = 0.0
    for i in range(len(x)):
        s += (x + y)[i] / (x - y)[i]
    return s


def negated(x: np.ndarray, y: np.ndarray):
    s = 0.0
    for i in range(len(x)):
        s += -(x + y)[i]
    return s


def largest(x: np.ndarray, y: np.ndarray):
    best = 0.0
    for i in range(x.shape[0]):
        if (x - y)[i] > best:
            best = (x - y)[i]
    return best


def bounded(x: np.ndarray, flag: bool, few: int, many: int):
    s = 0.0
    for i in range(1, few if flag else many):
        s += x[i] - x[i - 1]
    return s


def cases(rng):
    for name in ("mean", "squares", "counted", "ratios", "negated", "largest"):
        yield name, (rng.normal(size=7), rng.normal(size=7)), {}
    for flag in (True, False):
        yield "chosen", (rng.normal(size=7), flag), {}
        yield "bounded", (rng.normal(size=7), flag, 3, 6), {}
        yield "bounded", (rng.normal(size=7), flag, 1, 0), {}
