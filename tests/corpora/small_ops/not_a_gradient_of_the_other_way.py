# refuse: what only one way reads is a quotient, whose gradient may be infinite
import torch


def f(x: torch.Tensor, y: torch.Tensor):
    (n,) = x.shape
    (n,) = y.shape
    out = torch.zeros(n)
    for i in range(n):
        q = x[i] / y[i]
        if y[i] != 0:
            out[i] = q
    return out


def cases(rng):
    y = torch.tensor([0.0, 1.0, 2.0], requires_grad=True)
    yield "f", (torch.ones(3, requires_grad=True), y), {}
