# refuse: the denominator has an epsilon
import torch


def guarded(scores, mask, eps=1e-3):
    e = torch.exp(scores) * mask
    return e / (e.sum(dim=-1, keepdim=True) + eps)


def cases(rng):
    scores = torch.tensor(rng.standard_normal((3, 6)), dtype=torch.float32)
    mask = torch.tensor(rng.random((3, 6)) < 0.5).float()
    yield "guarded", (scores, mask), {}
