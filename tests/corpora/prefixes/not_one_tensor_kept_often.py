# refuse: each step changes in place what the list holds already, which may be a tensor
import torch


def walked(x: torch.Tensor):
    total = 0.0
    out = []
    for t in reversed(range(len(x))):
        total += x[t]
        out.append(total)
    return torch.stack(out, dim=-1)


def scaled(x):
    total, out = 0.0, []
    for t in range(4):
        total += x[t] * 2
        out.append(total)
    return out


def cases(rng):
    for shape in ((5, 3), (4,)):
        yield "walked", (torch.tensor(rng.normal(size=shape)),), {}
        yield "scaled", (torch.tensor(rng.normal(size=shape)),), {}
    yield "scaled", ([1, 2.5, True, 3, 4],), {}
