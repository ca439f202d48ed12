# expect: ASC103 safe scope=retain
import torch


def retain(q, k, v):
    b, h, n, d = q.shape
    s = torch.zeros(b, h, d, v.shape[-1], dtype=q.dtype)
    outs = []
    for t in range(n):
        s = 0.5 * s + k[:, :, t, :, None] * v[:, :, t, None, :]
        outs.append((q[:, :, t, :, None] * s).sum(2))
    return torch.stack(outs, 2), s


def cases(rng):
    def normal(*shape):
        return torch.tensor(rng.standard_normal(shape), dtype=torch.float32, requires_grad=True)

    yield "retain", (normal(2, 2, 6, 4), normal(2, 2, 6, 4), normal(2, 2, 6, 5)), {}
