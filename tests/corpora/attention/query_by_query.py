# expect: ASC109 safe scope=appended
# expect: ASC109 safe scope=comprehended
# expect: ASC109 safe scope=walked
import math

import torch
from torch import Tensor


def appended(q: Tensor, k: Tensor, v: Tensor):
    queries, width = q.shape
    keys, channels = v.shape
    out = []
    for i in range(queries):
        scores = (q[i] @ k.T) / math.sqrt(width)
        out.append(torch.softmax(scores, dim=-1) @ v)
    return torch.stack(out)


def comprehended(q: Tensor, k: Tensor, v: Tensor):
    queries, width = q.shape
    keys, width = k.shape
    keys, channels = v.shape
    return torch.stack([torch.softmax((k @ x) / math.sqrt(width), dim=-1) @ v for x in q])


def walked(q: Tensor, k: Tensor, v: Tensor):
    queries, width = q.shape
    keys, width = k.shape
    keys, channels = v.shape
    out = []
    for x in q:
        scores = torch.mv(k, x) * width**-0.5
        weights = torch.exp(scores - scores.max())
        weights = weights / weights.sum()
        out.append(weights @ v)
    return torch.stack(out, dim=0)


def cases(rng):
    def G(*s):
        return torch.tensor(rng.standard_normal(s), dtype=torch.float32, requires_grad=True)

    for name in ("appended", "comprehended", "walked"):
        for queries, keys, width, channels in ((3, 5, 4, 2), (4, 4, 4, 4), (1, 3, 2, 1)):
            yield name, (G(queries, width), G(keys, width), G(keys, channels)), {}
