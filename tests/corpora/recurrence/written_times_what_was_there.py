# expect: ASC105 safe scope=scaled
import torch


def scaled(x: torch.Tensor):
    y = torch.ones_like(x)
    h = torch.zeros_like(x[0])
    for t in range(len(x)):
        h = h + x[t]
        y[t] *= h - x[t]
    return y


def cases(rng):
    yield "scaled", (torch.tensor(rng.normal(size=(5, 3)), requires_grad=True),), {}
