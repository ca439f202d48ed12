# expect: SPA405 unsafe scope=column
# expect: SPA405 advice scope=least
# expect: SPA405 advice scope=in_place
# expect: SPA405 safe scope=places
import torch


def column(q, k, v, n: int):
    s = q @ k.transpose(-2, -1)
    top, _ = torch.topk(s, n, dim=-1)
    last = top[:, -1].unsqueeze(-1)
    s = s.masked_fill(s < last, float("-inf"))
    return s.softmax(dim=-1) @ v


def least(q, k, v, n: int):
    s = q @ k.transpose(-2, -1)
    last = s.topk(n, dim=-1).values.min(dim=-1, keepdim=True).values
    s = s.masked_fill(s < last, float("-inf"))
    return s.softmax(dim=-1) @ v


def in_place(q, k, v, n: int):
    s = q @ k.transpose(-2, -1)
    keep = torch.zeros_like(s, dtype=torch.bool)
    keep.scatter_(-1, s.topk(n, dim=-1).indices, True)
    s = s.masked_fill(~keep, float("-inf"))
    return s.softmax(dim=-1) @ v


def places(q, k, v, n: int):
    s = q @ k.transpose(-2, -1)
    best = s.topk(n, dim=-1).indices
    keep = torch.zeros_like(s, dtype=torch.bool)
    keep.scatter_(-1, best, True)
    s = s.masked_fill(~keep, -torch.inf)
    return s.softmax(dim=-1) @ v


def cases(rng):
    for name in ("column", "least", "in_place", "places"):
        yield name, (torch.randn(5, 4), torch.randn(7, 4), torch.randn(7, 3), 3), {}
