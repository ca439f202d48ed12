# expect: LOC309 safe scope=conv
import torch


def conv(x: torch.Tensor, weight: torch.Tensor):
    b, t, c = x.shape
    o, _, k = weight.shape
    w = x.unfold(1, k, 1)  # b, l, c, k
    return torch.einsum("blck,ock->blo", w, weight)


def cases(rng):
    g = lambda *s: torch.from_numpy(rng.standard_normal(s)).float().requires_grad_()
    yield "conv", (g(2, 10, 3), g(5, 3, 4)), {}
