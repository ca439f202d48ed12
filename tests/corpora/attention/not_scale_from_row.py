# refuse: each row of scores is divided by its own standard deviation
import torch


def standardised_attention(q, k, v):
    scores = q @ k.transpose(-2, -1)
    scores = scores / scores.std(dim=-1, keepdim=True)
    return scores.softmax(dim=-1) @ v


def cases(rng):
    draw = lambda *s: torch.tensor(rng.standard_normal(s), dtype=torch.float32)
    yield "standardised_attention", (draw(2, 5, 4), draw(2, 7, 4), draw(2, 7, 4)), {}
