# may: ASC103 advice scope=delta_rule
# refuse: each step multiplies the state by a dense matrix
import torch


def delta_rule(q, k, v, beta):
    b, l, d = q.shape
    S = torch.zeros(b, d, v.size(2))
    ys = []
    for t in range(l):
        old = torch.einsum("bd,bde->be", k[:, t], S)
        S = S + beta[:, t, None, None] * k[:, t, :, None] * (v[:, t] - old)[:, None, :]
        ys.append(torch.einsum("bd,bde->be", q[:, t], S))
    return torch.stack(ys, 1)


def cases(rng):
    draw = lambda *s: torch.tensor(rng.standard_normal(s), dtype=torch.float32).requires_grad_()
    for b, l in ((1, 1), (2, 6)):
        yield "delta_rule", (draw(b, l, 4), draw(b, l, 4), draw(b, l, 3), draw(b, l)), {}
