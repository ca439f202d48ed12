# expect: LOC309 safe scope=causal
import torch
import torch.nn.functional as F


def causal(x: torch.Tensor, taps: torch.Tensor):
    batch, steps, channels = x.shape
    size, _, out = taps.shape
    padded = F.pad(x, (0, 0, size - 1, 0))
    return sum(padded[:, k : k + steps] @ taps[k] for k in range(size))


def cases(rng):
    g = lambda *s: torch.from_numpy(rng.standard_normal(s)).float().requires_grad_()
    yield "causal", (g(2, 9, 3), g(4, 3, 5)), {}
    yield "causal", (g(2, 1, 3), g(4, 3, 5)), {}
    yield "causal", (g(2, 3, 9).transpose(1, 2), g(1, 3, 2)), {}
