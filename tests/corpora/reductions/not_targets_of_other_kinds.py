# refuse: ASC106 ASC105 ASC101 LOC301 LOC302 ASC110 ASC114 SPA406 the loop sets an attribute or item
import types

import numpy as np
import torch


def attribute(o, xs: list[float]):
    s = 0
    for o.cur in xs:
        s += o.cur
    return s, o.cur


def attribute_beside(o, xs: list[float]):
    s = 0
    for i, o.cur in enumerate(xs):
        s += i
    return s, o.cur


def item(xs: list[float]):
    d, s = {}, 0
    for d["k"] in xs:
        s = s + d["k"]
    return s, d


def last_of_a_buffer(buf: np.ndarray, xs: list[float]):
    m = 0
    for buf[-1] in xs:
        m = max(m, buf[-1])
    return m, buf


def larger(o, xs: list[float]):
    m = xs[0]
    for o.v in xs:
        if o.v > m:
            m = o.v
    return m, o.v


def place(o, xs: list[float]):
    m, at = xs[0], 0
    for i, o.v in enumerate(xs):
        if o.v > m:
            m, at = o.v, i
    return m, at, o.v


def rest(o, xs: list[list[float]]):
    s = 0
    for first, *o.rest in xs:
        s += first
    return s, o.rest


def nested(o, xs: list[list[float]]):
    s = 0
    for row in xs:
        for o.x in row:
            s += o.x
    return s, o.x


def running(o, xs: list[float]):
    s, out = 0.0, []
    for o.x in xs:
        s += o.x
        out.append(s)
    return out, o.x


def scan(o, x: torch.Tensor):
    h = torch.zeros(x.shape[1])
    for o.t, v in enumerate(x):
        h = 0.5 * h + v
    return h, o.t


def product(o, a: np.ndarray, b: np.ndarray):
    out = np.zeros((a.shape[0], b.shape[1]))
    for o.i in range(a.shape[0]):
        for j in range(b.shape[1]):
            for o.k in range(a.shape[1]):
                out[o.i, j] += a[o.i, o.k] * b[o.k, j]
    return out, o.i, o.k


def comprehension(o, xs: list[float]):
    return sum([o.x for o.x in xs]), o.x


def cases(rng):
    new = types.SimpleNamespace
    for name in ("attribute", "attribute_beside", "larger", "place", "running", "comprehension"):
        yield name, (new(), [1.0, 3.0, 2.0]), {}
    yield "item", ([1.0, 3.0, 2.0],), {}
    yield "last_of_a_buffer", (np.zeros(2), [1.0, 3.0, 2.0]), {}
    yield "rest", (new(), [[1.0, 3.0], [2.0, 4.0]]), {}
    yield "nested", (new(), [[1.0, 3.0], [2.0, 4.0]]), {}
    yield "scan", (new(), torch.tensor(rng.standard_normal((3, 2)))), {}
    yield "product", (new(), rng.random((2, 3)), rng.random((3, 2))), {}
