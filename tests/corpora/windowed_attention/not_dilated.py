# refuse: LOC304 every second key of the window only
# may: ASC109 safe scope=dilated
import torch


def dilated(q, k, v, window: int):
    i = torch.arange(q.shape[-2])
    ahead = i[:, None] - i
    keep = (ahead >= 0) & (ahead < window) & (ahead % 2 == 0)
    s = (q @ k.mT).masked_fill(~keep, float("-inf"))
    return s.softmax(-1) @ v


def cases(rng):
    draw = lambda *s: torch.tensor(rng.standard_normal(s), dtype=torch.float32).requires_grad_()
    for n in (1, 2, 9, 150):
        yield "dilated", (draw(2, 2, n, 4), draw(2, 2, n, 4), draw(2, 2, n, 6), 5), {}
