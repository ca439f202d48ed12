# expect: LOC306 safe scope=of_a_batch
# expect: LOC306 safe scope=scores
# expect: LOC306 safe scope=losses
# expect: LOC306 safe scope=in_rows
# expect: LOC306 safe scope=at_pairs
# expect: LOC306 safe scope=later
"""Elements and rows whose place is looked up beside one that counts with the loop."""

import numpy as np
import torch


def of_a_batch(x: torch.Tensor, idx: torch.Tensor):
    B, T, D = x.shape
    (B,) = idx.shape
    out = torch.zeros(B, D)
    for b in range(B):
        out[b] = x[b, idx[b]]
    return out


def scores(x: np.ndarray, idx: np.ndarray):
    B, T = x.shape
    (B,) = idx.shape
    out = np.zeros(B)
    for b in range(B):
        out[b] = x[b, idx[b]]
    return out


def losses(logp: torch.Tensor, target: torch.Tensor):
    B, T = logp.shape
    (B,) = target.shape
    found = []
    for b in range(B):
        found.append(-logp[b, target[b]])
    return torch.stack(found)


def in_rows(x: np.ndarray, idx: np.ndarray):
    B, T = idx.shape
    out = np.zeros((B, T))
    for b in range(B):
        for t in range(T):
            out[b, t] = x[b, idx[b, t]]
    return out


def at_pairs(x: np.ndarray, rows: np.ndarray, columns: np.ndarray):
    (n,) = rows.shape
    (n,) = columns.shape
    out = np.zeros(n)
    for k in range(n):
        out[k] = x[rows[k], columns[k]] * 2
    return out


def later(x: np.ndarray, idx: np.ndarray):
    B, T, D = x.shape
    (B,) = idx.shape
    out = np.zeros((B, T))
    for b in range(1, B):
        for t in range(T):
            out[b, t] = -x[b, t, idx[b]]
    return out


def cases(rng):
    for b, t in ((1, 1), (4, 3), (3, 4)):
        places = rng.integers(-t, t, b)
        x = torch.from_numpy(rng.standard_normal((b, t, 2))).float().requires_grad_()
        yield "of_a_batch", (x, torch.from_numpy(places)), {}
        yield "losses", (x.detach()[..., 0].requires_grad_(), torch.from_numpy(places)), {}
        for dtype in (np.int64, np.int32):
            yield "scores", (rng.standard_normal((t, b)).T, places.astype(dtype)), {}
        yield "in_rows", (rng.standard_normal((b, t)), rng.integers(-t, t, (b, t + 1))), {}
        yield "at_pairs", (rng.standard_normal((b, t)), places % b, places), {}
        yield "later", (rng.standard_normal((b, 2, t)), places), {}
