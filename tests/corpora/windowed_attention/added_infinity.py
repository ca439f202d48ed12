# expect: LOC304 safe scope=local
import torch


def band_bias(length, left, right):
    outside = torch.full((length, length), float("-inf"))
    return outside.triu(right + 1) + outside.tril(-left - 1)


def local(x, left: int = 2, right: int = 4):
    scores = x @ x.mT + band_bias(x.shape[1], left, right)
    return scores.softmax(-1) @ x


def cases(rng):
    draw = lambda *s: torch.tensor(rng.standard_normal(s), dtype=torch.float32).requires_grad_()
    for length in (1, 2, 11, 170):
        yield "local", (draw(2, length, 8),), {}
