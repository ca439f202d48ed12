# refuse: LOC304 what is far is dimmed, not left out
# may: ASC109 safe scope=dimmed
import torch


def dimmed(q, k, v, window: int):
    i = torch.arange(q.shape[-2])
    s = q @ k.mT - 5.0 * ((i[:, None] - i).abs() > window)
    return s.softmax(-1) @ v


def cases(rng):
    draw = lambda *s: torch.tensor(rng.standard_normal(s), dtype=torch.float32).requires_grad_()
    for n in (1, 2, 9, 150):
        yield "dimmed", (draw(2, 2, n, 4), draw(2, 2, n, 4), draw(2, 2, n, 6), 3), {}
