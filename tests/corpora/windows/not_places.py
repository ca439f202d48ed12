# refuse: LOC308 places are counted in the array, not in the window
import torch


def pool(x: torch.Tensor, k: int):
    b, c, t = x.shape
    return x.unfold(-1, k, 1).max(-1).indices


def cases(rng):
    g = lambda *s: torch.from_numpy(rng.standard_normal(s)).float()
    yield "pool", (g(2, 3, 10), 3), {}
