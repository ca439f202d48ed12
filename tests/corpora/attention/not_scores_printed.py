# refuse: the largest score is printed, so the scores have to exist
import torch


def watched_attention(q, k, v):
    scores = q @ k.transpose(-2, -1) * q.shape[-1] ** -0.5
    print(f"largest score: {scores.max():.3f}")
    return scores.softmax(-1) @ v


def cases(rng):
    draw = lambda *s: torch.tensor(rng.standard_normal(s), dtype=torch.float32)
    yield "watched_attention", (draw(2, 5, 4), draw(2, 7, 4), draw(2, 7, 4)), {}
