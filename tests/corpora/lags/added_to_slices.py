# expect: SYM604 safe scope=causal
# expect: SYM604 safe scope=full
# expect: SYM604 safe scope=ahead
# expect: SYM604 safe scope=numbered
# expect: SYM604 safe scope=rows
# expect: SYM604 safe scope=of_each
import numpy as np
import torch


def causal(x, h):
    n = len(x)
    y = np.zeros(n)
    for k in range(len(h)):
        y[k:] += h[k] * x[: n - k]
    return y


def full(x, h):
    n, m = len(x), len(h)
    y = np.zeros(n + m - 1)
    for k in range(m):
        y[k : k + n] += h[k] * x
    return y


def ahead(x: np.ndarray, h: np.ndarray):
    n, m = x.shape[0], h.shape[0]
    y = np.zeros(n)
    for k in range(m):
        y[: n - k] += x[k:] * h[k]
    return y


def numbered(x: np.ndarray, h: np.ndarray):
    n, m = x.shape[0], h.shape[0]
    y = np.zeros(n + m - 1)
    for k, tap in enumerate(h):
        y[k : n + k] += tap * x
    return y


def rows(x: torch.Tensor, h: torch.Tensor):
    b, n = x.shape
    (m,) = h.shape
    y = torch.zeros(b, n)
    for k in range(m):
        y[:, k:] += x[:, : n - k] * h[k]
    return y


def of_each(x: torch.Tensor, h: torch.Tensor):
    (n,) = x.shape
    (m,) = h.shape
    y = torch.zeros(n)
    for k in range(m):
        y[k:] += h[k] * x[: n - k]
    return y


def cases(rng):
    for n, m in ((9, 4), (5, 5), (1, 1), (7, 1), (2, 3), (1, 2)):
        x, h = rng.normal(size=n), rng.normal(size=m)
        for name in ("causal", "full", "ahead", "numbered"):
            yield name, (x, h), {}
        pairs = torch.tensor(rng.normal(size=(3, n)), dtype=torch.float32, requires_grad=True)
        taps = torch.tensor(h, dtype=torch.float32, requires_grad=True)
        yield "rows", (pairs, taps), {}
        yield "of_each", (pairs[0].detach(), taps), {}
    yield "causal", (np.ones(0), np.ones(1)), {}
    yield "full", (np.ones(8)[::2], np.ones(0)), {}
    yield "full", (np.ones(8)[::2], np.ones(6)[::-2]), {}
