# refuse: LOC308 the places are used as well
import torch


def pool(x: torch.Tensor, k: int):
    b, c, t = x.shape
    v, i = x.unfold(-1, k, 1).max(-1)
    return v, i


def cases(rng):
    g = lambda *s: torch.from_numpy(rng.standard_normal(s)).float()
    yield "pool", (g(2, 3, 10), 3), {}
