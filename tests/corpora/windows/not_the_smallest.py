# refuse: LOC308 pooling knows no minima
import torch


def pool(x: torch.Tensor, k: int):
    b, c, t = x.shape
    return x.unfold(-1, k, 1).min(-1).values


def cases(rng):
    g = lambda *s: torch.from_numpy(rng.standard_normal(s)).float().requires_grad_()
    yield "pool", (g(2, 3, 10), 3), {}
