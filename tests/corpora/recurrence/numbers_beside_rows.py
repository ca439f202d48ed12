# expect: ASC101 safe scope=a_known_number
# expect: ASC101 safe scope=taken_out
# expect: ASC101 safe scope=computed
# expect: ASC104 safe scope=clipped
"""One number a step beside rows of which nothing says how many axes they have."""

import math

import torch


def a_known_number(u: torch.Tensor, x: torch.Tensor):
    (T,) = u.shape
    h = torch.zeros_like(x[0])
    out = []
    for i in range(T):
        h = u[i] * h + x[i]
        out.append(h)
    return torch.stack(out)


def taken_out(u: torch.Tensor, x: torch.Tensor):
    h = torch.zeros_like(x[0])
    out = []
    for i in range(len(x)):
        h = u[i].item() * h + x[i]
        out.append(h)
    return torch.stack(out)


def computed(u: torch.Tensor, x: torch.Tensor, h: torch.Tensor):
    out = []
    for i in range(len(x)):
        h = math.exp(u[i]) * h + x[i]
        out.append(h)
    return torch.stack(out)


def clipped(u: torch.Tensor, x: torch.Tensor, h: torch.Tensor):
    for i in range(len(x)):
        h = torch.maximum(h + float(u[i]), x[i])
    return h


def cases(rng):
    yield "a_known_number", (torch.tensor([1.0, 2, 3]), torch.rand(3, 2)), {}
    yield "a_known_number", (torch.tensor([1.0, 2, 3]), torch.rand(3)), {}
    yield "taken_out", (torch.tensor([1.0, 2, 3]), torch.rand(3, 2)), {}
    yield "taken_out", (torch.tensor([1.0, 2, 3]), torch.rand(3)), {}
    yield "computed", (torch.tensor([1.0, 2, 3]), torch.rand(3, 2), torch.rand(2)), {}
    yield "computed", (torch.tensor([1.0, 2, 3]), torch.rand(3), torch.rand(())), {}
    yield "clipped", (torch.tensor([1.0, 2, 3]), torch.rand(3, 2), torch.rand(2)), {}
    yield "clipped", (torch.tensor([1.0, 2, 3]), torch.rand(3), torch.rand(())), {}
