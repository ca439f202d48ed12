# expect: LOC309 safe scope=conv
import torch


def conv(x: torch.Tensor, weight: torch.Tensor, s: int):
    n, c, h, w = x.shape
    f, _, k, _ = weight.shape
    p = x.unfold(2, k, s).unfold(3, k, s)
    return torch.einsum("nchwij,fcij->nfhw", p, weight)


def cases(rng):
    g = lambda *s: torch.from_numpy(rng.standard_normal(s)).float().requires_grad_()
    yield "conv", (g(2, 3, 10, 12), g(4, 3, 3, 3), 1), {}
    yield "conv", (g(2, 3, 10, 12), g(4, 3, 3, 3), 2), {}
