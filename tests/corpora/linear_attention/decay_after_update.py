# expect: ASC103 safe scope=leaky
import torch


def leaky(q, k, v, keep):
    b, l, d = q.shape
    S = torch.zeros(b, d, d)
    out = torch.zeros(b, l, d)
    for t in range(l):
        S = keep[:, t, :, None] * (S + k[:, t, :, None] * v[:, t, None, :])
        out[:, t] = (q[:, t, :, None] * S).sum(1)
    return out


def cases(rng):
    draw = lambda *s: torch.tensor(rng.standard_normal(s), dtype=torch.float32).requires_grad_()
    for b, l in ((1, 1), (2, 66)):
        keep = torch.tensor(rng.random((b, l, 4))).float().requires_grad_()
        yield "leaky", (draw(b, l, 4), draw(b, l, 4), draw(b, l, 4), keep), {}
