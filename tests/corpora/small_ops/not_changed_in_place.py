# refuse: torch keeps the result of an exponential, of which a stack was a copy
import torch


def whole(x: torch.Tensor):
    out = torch.stack([torch.exp(row) for row in x])
    out.mul_(2)
    return out


def collected(x: torch.Tensor):
    rows = []
    for row in x:
        rows.append(torch.sigmoid(row))
    out = torch.stack(rows)
    out += 1
    return out


def a_view(x: torch.Tensor):
    out = torch.stack([2.0**row for row in x])
    first = out[0]
    first.zero_()
    return out


def cases(rng):
    for name in ("whole", "collected", "a_view"):
        yield name, (torch.tensor(rng.standard_normal((3, 5))).float().requires_grad_(),), {}
