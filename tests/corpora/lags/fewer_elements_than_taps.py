# expect: SYM604 safe scope=filtered
import torch


def filtered(x: torch.Tensor, taps: torch.Tensor):
    """Three taps, which are all there."""
    (n,) = x.shape
    out = torch.zeros(n, dtype=x.dtype)
    for i in range(n):
        total = 0.0
        for k in range(min(3, i + 1)):
            total += x[i - k] * taps[k]
        out[i] = total
    return out


def cases(rng):
    for n in (7, 2, 1):
        yield "filtered", (torch.randn(n), torch.randn(3)), {}
        yield "filtered", (torch.randn(n), torch.randn(5)), {}
