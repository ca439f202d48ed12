# refuse: every run of the text computes something else
# may: RED502 safe scope=same_in_the_last
import numpy as np
import torch
import torch.nn.functional as F


def operands(q, k, v):
    return sum(F.softmax(a @ b.mT, -1) @ c for a, b, c in ((q, k, v), (k, q, q)))


def masked(q, k, v):
    out = []
    for causal in (True, False):
        s = q @ k.mT
        if causal:
            s = s.masked_fill(torch.ones(5, 5).triu(1).bool(), -torch.inf)
        out.append(s.softmax(-1) @ v)
    return out


def growing(q, k, v):
    s, out = 1.0, []
    for _ in (0, 1, 2):
        out.append(F.softmax(q @ k.mT * s, -1) @ v)
        s = s * 2
    return out


def mapped(q, k, v):
    return list(map(lambda t: F.softmax(q @ k.mT / t, -1) @ v, (1.0, 2.0)))


def axes(x):
    out = []
    for d in (0, 1):
        e = torch.exp(x - x.amax(d, keepdim=True))
        out.append(e / e.sum(d, keepdim=True))
    return out


def lags(x: np.ndarray):
    r = []
    for k in (0, 1, 2):
        s = 0.0
        for t in range(len(x) - k):
            s += x[t] * x[t + k]
        r.append(s)
    return r


def offsets(u: np.ndarray):
    out = np.zeros_like(u)
    for dx in (1, 2):
        for i in range(2, len(u) - 2):
            out[i] += u[i + dx] - u[i - dx]
    return out


def windows(x: np.ndarray):
    out = []
    for w in (2, 3):
        sums = []
        for i in range(len(x) - w + 1):
            sums.append(x[i : i + w].sum())
        out.append(np.array(sums))
    return out


def directions(x: torch.Tensor):
    out = []
    for back in (False, True):
        h = torch.zeros_like(x[0])
        for t in reversed(range(len(x))) if back else range(len(x)):
            h = 0.5 * h + x[t]
        out.append(h)
    return out


def diagonals(v: torch.Tensor, a: torch.Tensor):
    return [torch.diag(w) @ a for w in (v, v * 2)]


def same_in_the_last(x, a, b, c):
    return [(x @ w).sum() + (x @ v).sum() for w, v in ((a, b), (c, c))]


def cases(rng):
    draw = lambda *shape: torch.tensor(rng.normal(size=shape), dtype=torch.float32)
    three = lambda: (draw(5, 4), draw(5, 4), draw(5, 4))
    for name in ("operands", "masked", "growing", "mapped"):
        yield name, three(), {}
    yield "axes", (draw(3, 4),), {}
    yield "lags", (rng.normal(size=7),), {}
    yield "offsets", (rng.normal(size=9),), {}
    yield "windows", (rng.normal(size=9),), {}
    yield "directions", (draw(5, 2),), {}
    yield "diagonals", (draw(3), draw(3, 2)), {}
    yield "same_in_the_last", (draw(2, 3), draw(3, 4), draw(3, 4), draw(3, 4)), {}
