# expect: ASC107 advice scope=softmax
import math


def softmax(z):
    m = max(z)
    exps = [math.exp(v - m) for v in z]
    s = sum(exps)
    return [e / s for e in exps]


def cases(rng):
    yield "softmax", ([1.0, 2.0, 0.5],), {}
    yield "softmax", ([3.0],), {}
