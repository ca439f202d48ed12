# refuse: what the items read is changed through closures, containers, calls, or at another time
from functools import reduce

import numpy as np
import torch

SCALE = np.array([1.0, 0.5])


def fill_scale():
    SCALE[:] = SCALE + 1


def by_a_function_of_the_file(n):
    SCALE[:] = 0.5
    out = []
    for v in (np.sort(SCALE).sum() * i for i in range(n)):
        fill_scale()
        out.append(float(v))
    return out


def by_a_function_within(W, n):
    def step():
        W[:] = W + 1

    out = []
    for v in (np.exp(W).sum() * i for i in range(n)):
        step()
        out.append(float(v))
    return out


def through_a_dict(W, n):
    held = {"w": W}
    out = []
    for v in (np.exp(W).sum() * i for i in range(n)):
        held["w"] += 1
        out.append(float(v))
    return out


def through_a_list(W, n):
    held = []
    held.append(W)
    out = []
    for v in (np.exp(W).sum() * i for i in range(n)):
        held[0] += 1
        out.append(float(v))
    return out


def through_rows(W, n):
    rows = [w for w in W]
    out = []
    for v in (np.exp(W).sum() * i for i in range(n)):
        rows[0] += 1
        out.append(float(v))
    return out


def of_one_memory(W, V, n):
    out = []
    for v in (np.exp(W).sum() * i for i in range(n)):
        V += 1
        out.append(float(v))
    return out


def by_what_folds(W, n):
    def both(a, b):
        W[:] = W + 1
        return a + b

    return reduce(both, (float(np.exp(W).sum()) * i for i in range(n)))


def by_the_key(W, n):
    def key(v):
        W[:] = W + 1
        return v

    return max((float(np.exp(W).sum()) * i for i in range(n)), key=key)


def under_no_grad(x, W):
    with torch.no_grad():
        items = ((x @ W) * i for i in range(2))
    return [x @ W, *items]


def walked_by_a_function(x, W):
    items = ((x @ W) * i for i in range(2))

    def later():
        return list(items)

    x += 1
    return later()


class Rates:
    def __init__(self, W):
        self.W = W

    def extend(self, items):
        self.kept = items

    def sum(self, items):
        self.W = self.W * 0
        return list(items)

    def kept_for_later(self, n):
        self.extend(float(np.exp(self.W).sum()) * i for i in range(n))
        self.W = self.W + 1
        return list(self.kept)

    def handed_to_a_method(self, n):
        return self.sum(float(np.exp(self.W).sum()) * i for i in range(n))


def cases(rng):
    yield "by_a_function_of_the_file", (3,), {}
    for name in ("by_a_function_within", "through_a_dict", "through_a_list", "by_what_folds",
                 "by_the_key"):  # fmt: skip
        yield name, (rng.normal(size=3), 3), {}
    yield "through_rows", (rng.normal(size=(2, 3)), 3), {}
    yield "lambda w, n: of_one_memory(w, w, n)", (rng.normal(size=3), 3), {}
    yield "walked_by_a_function", (rng.normal(size=(2, 3)), rng.normal(size=(3, 2))), {}
    weight = torch.ones(3, 2, requires_grad=True)
    yield "under_no_grad", (torch.ones(2, 3), weight), {}
    for name in ("kept_for_later", "handed_to_a_method"):
        yield f"lambda w: Rates(w).{name}(3)", (rng.normal(size=3),), {}
