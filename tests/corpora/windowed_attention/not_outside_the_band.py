# refuse: LOC304 what is kept lies outside of the band
# may: ASC109 safe scope=far
import torch


def far(q, k, v, window: int):
    i = torch.arange(q.shape[-2])
    s = (q @ k.mT).masked_fill((i[:, None] - i).abs() < window, -1e9)
    return s.softmax(-1) @ v


def cases(rng):
    draw = lambda *s: torch.tensor(rng.standard_normal(s), dtype=torch.float32).requires_grad_()
    for n in (1, 2, 9, 150):
        yield "far", (draw(2, 2, n, 4), draw(2, 2, n, 4), draw(2, 2, n, 6), 3), {}
