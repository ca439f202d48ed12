# refuse: torch keeps the result of its softmax, which is changed in place
import torch


def shares(x: torch.Tensor):
    e = torch.exp(x - x.amax(-1, keepdim=True))
    y = e / e.sum(-1, keepdim=True)
    y += 1
    return y


def cleared(x: torch.Tensor):
    e = torch.exp(x - x.amax(-1, keepdim=True))
    y = z = e / e.sum(-1, keepdim=True)
    z[0] = 0
    return y


def cases(rng):
    x = torch.tensor(rng.standard_normal((2, 5))).float().requires_grad_()
    yield "shares", (x,), {}
    yield "cleared", (x,), {}
