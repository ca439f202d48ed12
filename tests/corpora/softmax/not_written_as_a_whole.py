# refuse: what is divided by its sum was written as a whole
import torch


def written(x: torch.Tensor):
    e = torch.exp(x)
    e[()] = 1.0
    return e / e.sum(-1, keepdim=True)


def cases(rng):
    yield "written", (torch.tensor(rng.normal(size=(3, 5))),), {}
    yield "written", (torch.tensor(rng.normal(size=(1, 1))),), {}
