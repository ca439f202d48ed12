# refuse: LOC304 the weights are cut after the softmax
import torch


def cut(q, k, v, window: int):
    i = torch.arange(q.shape[-2])
    w = (q @ k.mT).softmax(-1)
    w = w * ((i[:, None] - i).abs() <= window)
    return w @ v


def cases(rng):
    draw = lambda *s: torch.tensor(rng.standard_normal(s), dtype=torch.float32).requires_grad_()
    for n in (1, 2, 9, 150):
        yield "cut", (draw(2, 2, n, 4), draw(2, 2, n, 4), draw(2, 2, n, 6), 3), {}
