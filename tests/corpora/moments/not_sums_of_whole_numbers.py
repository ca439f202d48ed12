# refuse: ASC108 the entries may be whole numbers, of which there is no norm
import torch


def f(x: torch.Tensor):
    n = x.shape[-1]
    m = x.sum(-1, keepdim=True) / n
    v = ((x - m) ** 2).sum(-1, keepdim=True) / n
    return (x - m) / torch.sqrt(v + 1e-5)


def cases(rng):
    yield "f", (torch.tensor(rng.normal(size=(5, 3)), requires_grad=True),), {}
    yield "f", (torch.tensor(rng.integers(0, 9, size=(5, 3))),), {}
