# refuse: LOC304 the first keys are seen by all
# may: ASC109 safe scope=sinks
import torch


def sinks(q, k, v, window: int, first: int):
    i = torch.arange(q.shape[-2])
    keep = (i[:, None] - i).abs() <= window
    keep = keep | (i < first)
    s = (q @ k.mT).masked_fill(~keep, float("-inf"))
    return s.softmax(-1) @ v


def cases(rng):
    draw = lambda *s: torch.tensor(rng.standard_normal(s), dtype=torch.float32).requires_grad_()
    for n in (1, 9, 150):
        yield "sinks", (draw(2, 2, n, 4), draw(2, 2, n, 4), draw(2, 2, n, 6), 3, 2), {}
