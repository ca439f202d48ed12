# refuse: TorchScript reads the functions, and knows no generators
from typing import List

import torch


@torch.jit.script
def totals(x: List[float]) -> List[float]:
    s = 0.0
    out: List[float] = []
    for i in range(len(x)):
        s += x[i]
        out.append(s)
    return out


@torch.jit.script
def above(x: List[float]) -> int:
    n = 0
    for v in x:
        if v > 1.0:
            n += 1
    return n


def least(x: List[int], k: int) -> List[int]:
    return sorted(x)[:k]


least_scripted = torch.jit.script(least)


def cases(rng):
    yield "totals", ([1.0, 2.5],), {}
    yield "above", ([1.0, 2.5],), {}
    yield "least_scripted", ([3, 1, 2], 2), {}
