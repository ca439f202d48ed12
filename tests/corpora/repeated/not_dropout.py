# refuse: RED502 each has a mask of its own

import torch
import torch.nn.functional as F


def two_views(x: torch.Tensor):
    first = F.dropout(x, 0.5).sum(dim=-1)
    second = F.dropout(x, 0.5).sum(dim=-1)
    return first * second


def cases(rng):
    yield "two_views", (torch.from_numpy(rng.normal(size=(4, 6))).float(),), {}
