# refuse: LOC304 keys are left out by data as well
# may: ASC109 safe scope=padded
import torch


def padded(q, k, v, valid, window: int):
    i = torch.arange(q.shape[-2])
    keep = ((i[:, None] - i).abs() <= window) & valid[:, None, :]
    s = (q @ k.mT).masked_fill(~keep, -1e9)
    return s.softmax(-1) @ v


def cases(rng):
    draw = lambda *s: torch.tensor(rng.standard_normal(s), dtype=torch.float32).requires_grad_()
    valid = torch.tensor([[True, True, False, True, True], [True, False, False, False, True]])
    yield "padded", (draw(2, 5, 4), draw(2, 5, 4), draw(2, 5, 4), valid, 1), {}
