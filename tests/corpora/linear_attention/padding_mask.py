# expect: ASC103 safe scope=masked
import torch


def masked(q, k, v, mask):
    b, l, d = q.shape
    S = torch.zeros(b, d, d)
    ys = []
    for t in range(l):
        S = S + mask[:, t, None, None] * torch.einsum("bd,be->bde", k[:, t], v[:, t])
        ys.append(torch.einsum("bd,bde->be", q[:, t], S))
    return torch.stack(ys, 1)


def cases(rng):
    draw = lambda *s: torch.tensor(rng.standard_normal(s), dtype=torch.float32).requires_grad_()
    for b, l in ((1, 1), (2, 66)):
        mask = torch.tensor(rng.random((b, l)) > 0.3).float()
        yield "masked", (draw(b, l, 4), draw(b, l, 4), draw(b, l, 4), mask), {}
