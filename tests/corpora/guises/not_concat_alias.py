# refuse: a name keeps the empty list
import torch
from torch import Tensor


def concat_alias(x: Tensor):
    out = []
    same = out
    h = torch.zeros_like(x[0])
    for v in x:
        h = 0.5 * h + v
        out = out + [h]
    return torch.stack(out), len(same)


def cases(rng):
    def R(*s):
        return torch.tensor(rng.standard_normal(s), dtype=torch.float32)

    yield "concat_alias", (R(7, 3),), {}
