# expect: ASC109 safe scope=attend
# expect: ASC109 safe scope=masked
import torch
from torch import Tensor


def attend(q: Tensor, k: Tensor, v: Tensor):
    s = torch.einsum("bqhd,bkhd->bhqk", q, k).div_(q.shape[-1] ** 0.5)
    return torch.einsum("bhqk,bkhd->bqhd", s.softmax(-1), v)


def masked(q: Tensor, k: Tensor, v: Tensor, mask: Tensor):
    s = (q @ k.transpose(-2, -1)).mul_(0.25).masked_fill_(mask, float("-inf"))
    return s.softmax(-1) @ v


def cases(rng):
    yield "attend", (torch.randn(2, 5, 3, 4), torch.randn(2, 6, 3, 4), torch.randn(2, 6, 3, 4)), {}
    mask = torch.tensor(rng.random((5, 6)) < 0.4)
    mask[:, 0] = False
    yield "masked", (torch.randn(2, 5, 4), torch.randn(2, 6, 4), torch.randn(2, 6, 4), mask), {}
