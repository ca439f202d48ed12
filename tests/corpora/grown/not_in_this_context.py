# refuse: the step joins without gradients
import torch


def copies(p: torch.Tensor, n: int):
    out = torch.empty(0, 2)
    for _ in range(n):
        with torch.no_grad():
            out = torch.cat([out, p])
    return out


def cases(rng):
    yield "copies", (torch.ones(1, 2, requires_grad=True), 3), {}
    yield "copies", (torch.ones(1, 2, requires_grad=True), 0), {}
