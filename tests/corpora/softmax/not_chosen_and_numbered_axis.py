# refuse: the maximum is over the last axis, the sum over the one that the caller chooses
import torch


def weights(x: torch.Tensor, dim: int = -1):
    m = x.max(dim=-1, keepdim=True)[0]
    e = torch.exp(x - m)
    return e / e.sum(dim=dim, keepdim=True)


def cases(rng):
    x = torch.tensor(rng.standard_normal((3, 5)), requires_grad=True)
    yield "weights", (x,), {}
    yield "weights", (x, 0), {}
