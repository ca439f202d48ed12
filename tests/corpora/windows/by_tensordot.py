# expect: LOC309 safe scope=conv
import torch


def conv(x: torch.Tensor, weight: torch.Tensor):
    n, c, h, w = x.shape
    f, c2, k, k2 = weight.shape
    p = x.unfold(2, k, 1).unfold(3, k2, 1)
    return torch.tensordot(p, weight, dims=([1, 4, 5], [1, 2, 3])).permute(0, 3, 1, 2)


def cases(rng):
    g = lambda *s: torch.from_numpy(rng.standard_normal(s)).float().requires_grad_()
    yield "conv", (g(2, 3, 10, 12), g(4, 3, 3, 2)), {}
