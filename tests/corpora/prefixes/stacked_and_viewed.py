# expect: ASC105 safe scope=prefix
# expect: ASC105 safe scope=best
# expect: ASC105 unsafe scope=products
# expect: ASC105 safe scope=kept
"""Stacks are contiguous, whatever the rows are: views and writes through them rest on it. What a
caller writes to may be what `cumprod` keeps for the backward pass: that is told."""

import torch


def prefix(x: torch.Tensor):
    s = torch.zeros_like(x[0])
    out = []
    for v in x:
        s = s + v
        out.append(s)
    return torch.stack(out).view(-1)


def best(x: torch.Tensor):
    s = torch.zeros_like(x[0])
    out = []
    for v in x:
        s = torch.maximum(s, v)
        out.append(s)
    return torch.stack(out)


def flat(x: torch.Tensor):
    return best(x.transpose(1, 2)).view(-1)


def products(x: torch.Tensor):
    s = torch.ones_like(x[0])
    out = []
    for v in x:
        s = s * v
        out.append(s)
    return torch.stack(out)


def written(x: torch.Tensor):
    every = products(x)
    row = every.reshape(-1)
    row[0] = -1
    return every


def kept(x: torch.Tensor):
    s = torch.zeros_like(x[0])
    out = []
    for v in x:
        s = s + v
        out.append(s)
    return torch.stack(out)


def cases(rng):
    for shape in ((2, 3, 4, 5), (1, 2, 1, 3)):
        x = torch.tensor(rng.standard_normal(shape), dtype=torch.float32)
        for name in ("prefix", "written", "kept"):
            yield name, (x.to(memory_format=torch.channels_last),), {}
        yield "flat", (x[:, :, 0],), {}
