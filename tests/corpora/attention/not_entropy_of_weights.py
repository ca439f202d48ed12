# refuse: a penalty is computed from the weights
import torch


def regularised_attention(q, k, v):
    p = (q @ k.transpose(-2, -1) * q.shape[-1] ** -0.5).softmax(dim=-1)
    entropy = -(p * p.clamp_min(1e-12).log()).sum(dim=-1).mean()
    return p @ v, entropy


def cases(rng):
    draw = lambda *s: torch.tensor(rng.standard_normal(s), dtype=torch.float32)
    yield "regularised_attention", (draw(2, 5, 4), draw(2, 7, 4), draw(2, 7, 4)), {}
