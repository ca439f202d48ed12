# expect: ASC103 safe scope=scan
import torch


def scan(q, k, v, a):
    T, B, H, D = k.shape
    S = torch.zeros(B, H, D, v.shape[3])
    ys = []
    for t in range(T):
        S = a[t, :, :, None, None] * S + k[t, :, :, :, None] * v[t, :, :, None, :]
        ys.append((S * q[t, :, :, :, None]).sum(dim=2))
    return torch.stack(ys)


def cases(rng):
    draw = lambda *s: torch.tensor(rng.standard_normal(s), dtype=torch.float32).requires_grad_()
    for b, l in ((1, 1), (2, 66)):
        a = torch.tensor(rng.random((l, b, 3))).float().requires_grad_()
        yield "scan", (draw(l, b, 3, 4), draw(l, b, 3, 4), draw(l, b, 3, 2), a), {}
