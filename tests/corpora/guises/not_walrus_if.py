# refuse: items are filtered
import torch
from torch import Tensor


def walrus_if(x: Tensor, h: Tensor):
    return torch.stack([h for t in range(len(x)) if (h := 0.5 * h + x[t]).sum() > -1e9])


def cases(rng):
    def R(*s):
        return torch.tensor(rng.standard_normal(s), dtype=torch.float32)

    yield "walrus_if", (R(7, 3), R(3)), {}
