# expect: SEP201 safe scope=products
# expect: SEP201 safe scope=with_itself
# expect: SEP201 safe scope=up_to
# expect: SEP201 safe scope=chosen
# expect: SEP201 safe scope=behind_each
# expect: SEP201 safe scope=at_once
# expect: SEP201 safe scope=interactions
from itertools import combinations

import torch


def products(xs, ys):
    total = 0.0
    for i in range(len(xs) - 1):
        for j in range(i + 1, len(xs)):
            total += xs[i] * ys[j]
    return total


def with_itself(xs, ys, weights):
    total = 0
    n = len(xs)
    for i in range(n):
        for j in range(i, n):
            total = total + xs[i] * ys[j] * weights[i] / 2
    return total


def up_to(xs, ys):
    total = 0.0
    for j in range(len(xs)):
        for i in range(j):
            x = xs[i]
            total += -x * ys[j]
    return total


def chosen(xs, ys):
    total = 0.0
    for i in range(len(xs)):
        for j in range(len(xs)):
            if i >= j:
                total += xs[i] * ys[j]
    return total


def behind_each(xs):
    total = 0.0
    for i, x in enumerate(xs):
        for y in xs[i + 1 :]:
            total += x * y
    return total


def at_once(xs):
    total = 0.0
    for x, y in combinations(xs, 2):
        total += x * y
    return total


def interactions(fields):
    total = 0
    for i in range(len(fields)):
        for j in range(i + 1, len(fields)):
            total = total + torch.sum(fields[i] * fields[j], dim=1, keepdim=True)
    return total


def cases(rng):
    for n in (7, 2, 1, 0):
        xs, ys, weights = rng.standard_normal((3, n)).tolist()
        yield "products", (xs, ys), {}
        yield "with_itself", (xs, ys, weights), {}
        yield "up_to", (xs, ys), {}
        yield "chosen", (xs, ys), {}
        yield "behind_each", (xs,), {}
        yield "at_once", (xs,), {}
    yield "products", ([1, 2, 3], [4, 5, 6]), {}
    rows = torch.tensor(rng.standard_normal((4, 3, 5)).astype("float32"))
    yield "interactions", ([row.requires_grad_() for row in rows],), {}
