# expect: ASC103 safe scope=memory
import torch


def memory(q, k, v, rate: float = 0.95):
    b, l, d = q.shape
    M = torch.zeros(b, d, d)
    ys = []
    for t in range(l):
        M *= rate
        M += torch.bmm(v[:, t, :, None], k[:, t, None, :])
        ys.append(torch.bmm(M, q[:, t, :, None])[..., 0])
    return torch.stack(ys, 1)


def cases(rng):
    draw = lambda *s: torch.tensor(rng.standard_normal(s), dtype=torch.float32)
    for b, l in ((1, 1), (2, 68)):
        yield "memory", (draw(b, l, 4), draw(b, l, 4), draw(b, l, 4)), {}
