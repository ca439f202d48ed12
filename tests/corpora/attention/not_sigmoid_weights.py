# refuse: sigmoid instead of softmax
import torch


def gated_lookup(q, k, v):
    weights = torch.sigmoid(q @ k.transpose(-2, -1) / k.shape[-2])
    return weights @ v


def cases(rng):
    draw = lambda *s: torch.tensor(rng.standard_normal(s), dtype=torch.float32)
    yield "gated_lookup", (draw(2, 5, 4), draw(2, 7, 4), draw(2, 7, 4)), {}
