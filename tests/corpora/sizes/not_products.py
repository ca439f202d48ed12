# refuse: LOC307 products are no pointwise region
import torch
import torch.nn.functional as F


def f(x: torch.Tensor, first: torch.Tensor, second: torch.Tensor):
    return F.gelu(x @ first) @ second


def cases(rng):
    x, a, b = (torch.tensor(rng.normal(size=s)) for s in ((5, 6), (6, 7), (7, 2)))
    yield "f", (x, a, b), {}
