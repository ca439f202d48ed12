# expect: ASC109 safe scope=attend
"""What the mask leaves out is a tensor of one number, which half types turn into -inf."""

import torch


def attend(q: torch.Tensor, k: torch.Tensor, v: torch.Tensor, mask: torch.Tensor):
    scores = q @ k.mT
    scores = torch.where(mask, scores, torch.tensor(-1e9))
    return scores.softmax(-1) @ v


def cases(rng):
    for rows, keys, dtype in ((3, 5, "float32"), (1, 2, "float64"), (4, 4, "float16")):
        shapes = (2, rows, 4), (2, keys, 4), (2, keys, 3)
        q, k, v = (torch.tensor(rng.standard_normal(s)).to(getattr(torch, dtype)) for s in shapes)
        mask = torch.tensor(rng.random((rows, keys)) < 0.6)
        mask[:, 0] = True
        yield "attend", (q, k, v, mask), {}
