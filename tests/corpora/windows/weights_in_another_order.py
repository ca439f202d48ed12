# expect: LOC309 safe scope=conv
import torch


def conv(x: torch.Tensor, weight: torch.Tensor):
    b, c, t = x.shape
    k, _, o = weight.shape
    w = x.unfold(2, k, 1)
    return torch.einsum("bclk,kco->blo", w, weight)


def cases(rng):
    g = lambda *s: torch.from_numpy(rng.standard_normal(s)).float().requires_grad_()
    yield "conv", (g(2, 3, 10), g(3, 3, 5)), {}
