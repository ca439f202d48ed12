# expect: ASC105 safe scope=drawdown
import torch
from torch import Tensor


def drawdown(p: Tensor):
    peak = p[0]
    dd = []
    for v in p:
        peak = torch.maximum(peak, v)
        dd.append((peak - v) / peak)
    return torch.stack(dd)


def cases(rng):
    def U(*s):
        return torch.tensor(rng.random(s), dtype=torch.float32)

    yield "drawdown", (U(7, 3) + 1,), {}
    yield "drawdown", (U(7) + 1,), {}
