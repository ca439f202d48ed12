# expect: LOC306 safe scope=clamped
# expect: LOC306 safe scope=from_below
# expect: LOC306 safe scope=by_name
# expect: LOC306 safe scope=clipped
# expect: LOC306 safe scope=half_open
# expect: LOC306 safe scope=signs
"""Elements and rows between bounds."""

import numpy as np
import torch
import torch.nn.functional as F


def clamped(x: torch.Tensor, lo: float, hi: float):
    return torch.stack([torch.clamp(row, lo, hi) for row in x])


def from_below(x: torch.Tensor):
    n, d = x.shape
    out = torch.zeros(n, d)
    for i in range(n):
        out[i] = x[i].clamp(min=0) + F.relu(x[i]).clamp_max(2)
    return out


def by_name(x: torch.Tensor, hi: float):
    rows = []
    for row in x:
        rows.append(row.clamp(max=hi, min=None))
    return torch.stack(rows)


def clipped(x: np.ndarray):
    n, m = x.shape
    out = np.zeros((n, m))
    for i in range(n):
        for j in range(m):
            out[i, j] = np.clip(x[i, j], 0, 1)
    return out


def half_open(x: np.ndarray, hi: float):
    (n,) = x.shape
    out = np.zeros(n)
    for i in range(n):
        out[i] = np.clip(x[i], None, hi) + x[i].clip(0)
    return out


def signs(x: np.ndarray):
    (n,) = x.shape
    out = np.zeros(n)
    for i in range(n):
        out[i] = np.sign(x[i]) * np.abs(x[i])
    return out


def cases(rng):
    def G(*s, dtype=float):
        return np.round(2 * rng.standard_normal(s)).astype(dtype)

    for n, d in ((1, 1), (5, 3)):
        for dtype in (torch.float32, torch.float16, torch.int64):
            x = torch.from_numpy(G(n, d)).to(dtype)
            yield "clamped", (x, -1.0, 1.0), {}
            yield "by_name", (x, 1.0), {}
        x = torch.from_numpy(G(n, d, dtype=np.float32)).requires_grad_()
        yield "clamped", (x, -1.0, 1.0), {}
        yield "from_below", (x,), {}
    for n, d in ((0, 2), (1, 1), (5, 3)):
        for dtype in (float, np.float32, int, np.uint8):
            yield "clipped", (np.abs(G(d, n)).astype(dtype).T,), {}
            yield "half_open", (np.abs(G(n)).astype(dtype), 1.5), {}
        yield "signs", (G(n),), {}
