# refuse: SPA401 the conversion calls what keeps a count
import torch
import torch.nn.functional as F


def named(w: torch.Tensor, i: torch.Tensor, ask):
    size, n = w.shape
    return w @ F.one_hot(i, n).to(dtype=ask([w.dtype])).T


def cases(rng):
    w, i = torch.randn(3, 4), torch.tensor([1, 2, 0])
    yield "named", (w, i, max), {}
