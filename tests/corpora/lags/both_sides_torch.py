# expect: SYM604 safe scope=f
import torch


def f(x: torch.Tensor, c: torch.Tensor, r: torch.Tensor):
    (n,), (m,), (n,) = x.shape, c.shape, r.shape
    i, j = torch.arange(m)[:, None], torch.arange(n)[None, :]
    kernel = torch.where(i > j, c[(i - j).clamp(min=0)], r[(j - i).clamp(min=0)])
    return kernel @ x


def cases(rng):
    for n in (1, 2, 7, 12):
        x, c, r = (torch.tensor(rng.normal(size=n), dtype=torch.float64) for _ in range(3))
        yield "f", (x.requires_grad_(), c.requires_grad_(), r.requires_grad_()), {}
