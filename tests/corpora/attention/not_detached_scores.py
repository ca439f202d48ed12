# refuse: ASC109 the gradient stops at the weights, so the values alone are trained
import torch


def frozen_pattern(q, k, v):
    with torch.no_grad():
        weights = (q @ k.transpose(-2, -1) * q.shape[-1] ** -0.5).softmax(dim=-1)
    return weights @ v


def cases(rng):
    draw = lambda *s: torch.tensor(rng.standard_normal(s), dtype=torch.float32).requires_grad_()
    yield "frozen_pattern", (draw(2, 5, 4), draw(2, 7, 4), draw(2, 7, 4)), {}
