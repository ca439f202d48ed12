# refuse: every list on the way is kept
import torch
from torch import Tensor


def concat_kept(x: Tensor):
    out = []
    snaps = []
    h = torch.zeros_like(x[0])
    for v in x:
        h = 0.5 * h + v
        out = out + [h]
        snaps.append(out)
    return [len(s) for s in snaps]


def cases(rng):
    def R(*s):
        return torch.tensor(rng.standard_normal(s), dtype=torch.float32)

    yield "concat_kept", (R(7, 3),), {}
