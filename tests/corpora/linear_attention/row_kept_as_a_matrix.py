# expect: ASC103 safe scope=lin
import torch


def lin(q, k, v):
    b, h, n, d = k.shape
    S = torch.zeros(b, h, d, v.shape[-1])
    outs = []
    for i in range(n):
        S = S + k[:, :, i, :, None] * v[:, :, i, None, :]
        outs.append((q[:, :, i, None] @ S).squeeze(-2))
    return torch.stack(outs, 2)


def cases(rng):
    def normal(*shape):
        return torch.tensor(rng.standard_normal(shape), dtype=torch.float32)

    yield "lin", (normal(2, 3, 6, 4), normal(2, 3, 6, 4), normal(2, 3, 6, 5)), {}
