# expect: LOC301 unsafe scope=forward_cat
# expect: LOC301 unsafe scope=forward_cat2
# expect: ASC101 safe scope=ema
# expect: LOC306 safe scope=rows
import numpy as np
import torch


def forward_cat(xs: torch.Tensor, w: torch.Tensor, b: torch.Tensor):
    B, N, D = xs.shape
    res = []
    for i in range(xs.size(0)):
        y = torch.relu(torch.mm(xs[i], w) + b)
        res.append(y.unsqueeze(0))
    return torch.cat(res, dim=0)


def forward_cat2(xs, w):
    """xs: (B, N, D)"""
    res = []
    for x in xs:
        res.append((x @ w)[None])
    return torch.cat(res, 0)


def ema(x, a):
    B, T, D = x.shape
    h = torch.zeros(B, D)
    outs = []
    for t in range(T):
        h = a * h + x[:, t]
        outs.append(h.unsqueeze(1))
    return torch.cat(outs, dim=1)


def rows(x: np.ndarray, w: np.ndarray):
    n, d = x.shape
    (d,) = w.shape
    return np.concatenate([np.tanh(x[i] * w)[None, :] for i in range(n)], axis=0)


def cases(rng):
    n = rng.standard_normal

    def t(*shape):
        return torch.tensor(n(shape), dtype=torch.float32, requires_grad=True)

    yield "forward_cat", (t(4, 3, 5), t(5, 2), t(2)), {}
    yield "forward_cat2", (t(4, 3, 5), t(5, 2)), {}
    yield "ema", (t(2, 3, 5), 0.5), {}
    yield "rows", (n((3, 4)), n(4)), {}
