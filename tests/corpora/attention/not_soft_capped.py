# refuse: the scores pass through tanh
import torch


def capped_attention(q, k, v, cap=30.0):
    scores = q @ k.transpose(-2, -1) * q.shape[-1] ** -0.5
    scores = cap * torch.tanh(scores / cap)
    return torch.softmax(scores, dim=-1) @ v


def cases(rng):
    draw = lambda *s: torch.tensor(rng.standard_normal(s), dtype=torch.float32)
    yield "capped_attention", (draw(2, 5, 4), draw(2, 7, 4), draw(2, 7, 4)), {}
