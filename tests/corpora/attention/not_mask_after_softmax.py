# refuse: the weights are masked after the softmax and not normalised again
import torch


def leaky_mask(q, k, v, mask):
    weights = (q @ k.transpose(-2, -1)).softmax(dim=-1)
    weights = weights * mask
    return weights @ v


def cases(rng):
    draw = lambda *s: torch.tensor(rng.standard_normal(s), dtype=torch.float32)
    mask = torch.tensor(rng.random((5, 7)) < 0.6).float()
    yield "leaky_mask", (draw(2, 5, 4), draw(2, 7, 4), draw(2, 7, 4), mask), {}
