# expect: LOC301 safe scope=joined
# expect: LOC301 safe scope=beside
import torch


def joined(x, w):
    n, d = x.shape
    H, d, k = w.shape
    outs = []
    for h in range(H):
        outs.append(x @ w[h])
    return torch.cat(outs, dim=1)


def beside(x: torch.Tensor, w: torch.Tensor):
    b, n, d = x.shape
    heads, d, k = w.shape
    return torch.cat([x @ w[h] for h in range(heads)], dim=-1)


def cases(rng):
    def made(*shape):
        return torch.tensor(rng.standard_normal(shape)).float().requires_grad_()

    for n in (5, 1):
        yield "joined", (made(n, 3), made(4, 3, 2)), {}
        yield "beside", (made(2, n, 3), made(4, 3, 2)), {}
