# expect: LOC309 safe scope=filtered
import torch
import torch.nn.functional as F


def filtered(signal: torch.Tensor, taps: torch.Tensor):
    rows, n = signal.shape
    (k,) = taps.shape
    padded = F.pad(signal, (k - 1, 0))
    acc = 0.0
    for lag in range(k):
        part = padded[:, k - 1 - lag : k - 1 - lag + n]
        acc += taps[lag] * part
    return acc


def cases(rng):
    g = lambda *s: torch.from_numpy(rng.standard_normal(s)).float().requires_grad_()
    yield "filtered", (g(2, 9), g(4)), {}
    yield "filtered", (g(1, 1), g(4)), {}
    yield "filtered", (g(9, 3).t(), g(1)), {}
