# expect: ASC103 safe scope=hebbian
import torch


def hebbian(q, k, v, beta):
    B, T, D = q.shape
    A = torch.zeros(B, D, D)
    ys = []
    for t in range(T):
        A = 0.9 * A + beta[:, t, None, None] * (k[:, t, :, None] * v[:, t, None, :])
        ys.append((q[:, t, None, :] @ A)[:, 0])
    return torch.stack(ys, dim=1)


def cases(rng):
    draw = lambda *s: torch.tensor(rng.standard_normal(s), dtype=torch.float32).requires_grad_()
    for b, l in ((1, 1), (2, 66)):
        yield "hebbian", (draw(b, l, 4), draw(b, l, 4), draw(b, l, 4), draw(b, l)), {}
