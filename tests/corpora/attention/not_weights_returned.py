# refuse: the weights are returned
import math

import torch


def attention_with_weights(q, k, v):
    scores = q @ k.transpose(-2, -1) / math.sqrt(q.size(-1))
    weights = scores.softmax(dim=-1)
    return weights @ v, weights


def cases(rng):
    draw = lambda *s: torch.tensor(rng.standard_normal(s), dtype=torch.float32)
    yield "attention_with_weights", (draw(2, 5, 4), draw(2, 7, 4), draw(2, 7, 4)), {}
