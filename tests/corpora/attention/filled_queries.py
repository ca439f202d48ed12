# expect: ASC109 safe scope=attend
import math

import torch
from torch import Tensor


def attend(q: Tensor, k: Tensor, v: Tensor):
    queries, width = q.shape
    keys, channels = v.shape
    keys, width = k.shape
    out = torch.zeros(queries, channels)
    for i in range(queries):
        scores = k @ q[i] / math.sqrt(width)
        weights = torch.softmax(scores, dim=0)
        out[i] = weights @ v
    return out


def cases(rng):
    def G(*s):
        return torch.tensor(rng.standard_normal(s), dtype=torch.float32, requires_grad=True)

    for queries, keys, width, channels in ((3, 5, 4, 2), (4, 4, 4, 4), (1, 3, 2, 1)):
        yield "attend", (G(queries, width), G(keys, width), G(keys, channels)), {}
