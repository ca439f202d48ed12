# refuse: the totals are kept in a list, whose items are tensors of their own
import torch


def totals(x: torch.Tensor):
    out = [0.0] * x.shape[0]
    total = torch.zeros_like(x[0])
    for t in range(x.shape[0]):
        total = total + x[t]
        out[t] = total
    out[-1] += 1
    return out


def cases(rng):
    yield "totals", (torch.rand(5, 3, requires_grad=True),), {}
    yield "totals", (torch.rand(1, 2),), {}
