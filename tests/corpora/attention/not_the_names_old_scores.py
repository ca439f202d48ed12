# refuse: ASC109 the scores are divided by what their name stood for before
import torch
from torch import Tensor


def attend(q: Tensor, k: Tensor, v: Tensor, s: Tensor):
    s = (q @ k.transpose(-2, -1)).div_(s)
    return s.softmax(-1) @ v, s


def cases(rng):
    q, k, v = torch.randn(2, 5, 4), torch.randn(2, 6, 4), torch.randn(2, 6, 4)
    yield "attend", (q, k, v, torch.rand(6) + 0.5), {}
