# refuse: LOC306 one element of bytes is a place, all of them are a mask
# refuse: SPA406 torch adds to places of 32 or 64 bits
import torch


def looked_up(table: torch.Tensor, x: torch.Tensor):
    ids = x.to(torch.int8)
    out = torch.zeros(len(ids))
    for i in range(len(ids)):
        out[i] = table[ids[i]]
    return out


def added(x: torch.Tensor, v: torch.Tensor):
    ids = x.to(torch.uint8)
    out = torch.zeros(4)
    for i in range(len(ids)):
        out[ids[i]] += v[i]
    return out


def cases(rng):
    places = torch.tensor([1.0, 0.0, 3.0, 1.0])
    yield "looked_up", (torch.randn(4), places), {}
    yield "added", (places, torch.randn(4)), {}
