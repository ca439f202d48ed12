# expect: RED502 unsafe scope=two
# expect: RED502 unsafe scope=power
# expect: RED502 unsafe scope=change
import numpy as np


class Die:
    def __init__(self):
        self.rolls = 0

    def mean(self):
        self.rolls += 1
        return self.rolls


class Counted:
    def __init__(self, a):
        self.a, self.count = a, 0

    def __matmul__(self, v):
        self.count += 1
        return self.a @ v


class Feed:
    def __init__(self):
        self.k = 0

    def __iter__(self):
        self.k += 1
        return iter([self.k, self.k + 1])


def two(d):
    return d.mean() * 10 + d.mean()


def power(op, v):
    return (op @ v) / np.linalg.norm(op @ v)


def change(feed):
    a = sum(feed)
    b = sum(feed)
    return b - a


def powered(a, v):
    op = Counted(a)
    return power(op, v), op.count


def cases(rng):
    yield "lambda: two(Die())", (), {}
    yield "lambda a, v: powered(a, v)", (np.diag([2.0, 1.0]), np.ones(2)), {}
    yield "lambda: change(Feed())", (), {}
