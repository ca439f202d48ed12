# refuse: LOC308 pooling goes along the last axis
import torch


def pool(x: torch.Tensor, k: int):
    b, c, t = x.shape
    return x.unfold(1, k, 1).amax(-1)


def cases(rng):
    g = lambda *s: torch.from_numpy(rng.standard_normal(s)).float()
    yield "pool", (g(2, 5, 10), 3), {}
