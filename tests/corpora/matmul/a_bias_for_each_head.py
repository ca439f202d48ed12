# expect: LOC301 unsafe scope=joined
import torch


def joined(x: torch.Tensor, w: torch.Tensor, b: torch.Tensor):
    n, d = x.shape
    heads, d, k = w.shape
    return torch.cat([x @ w[h] + b[h] for h in range(heads)], dim=-1)


def cases(rng):
    def made(*shape):
        return torch.tensor(rng.standard_normal(shape)).float().requires_grad_()

    for n in (5, 1):
        yield "joined", (made(n, 3), made(4, 3, 2), made(4, 2)), {}
