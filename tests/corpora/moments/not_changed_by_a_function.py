# refuse: torch keeps what its layer norm is given, which a function changes in place
import torch


def shift(x):
    x.add_(1)
    return x


def norm(x: torch.Tensor):
    h = x * 1
    mean = h.mean(-1, keepdim=True)
    var = ((h - mean) ** 2).mean(-1, keepdim=True)
    y = (h - mean) / torch.sqrt(var + 1e-5)
    return shift(h) + y


def cases(rng):
    x = torch.tensor(rng.standard_normal((2, 5))).float().requires_grad_()
    yield "norm", (x,), {}
