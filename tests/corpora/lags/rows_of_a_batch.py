# expect: SYM604 unsafe scope=f
import torch


def f(x: torch.Tensor, h: torch.Tensor):
    rows, n = x.shape
    (n,) = h.shape
    t = torch.arange(n)
    kernel = torch.tril(h[(t[:, None] - t).clamp(min=0)])
    return x @ kernel.T


def cases(rng):
    for n in (1, 2, 7, 12):
        x = torch.tensor(rng.normal(size=(3, n)), dtype=torch.float32)
        h = torch.tensor(rng.normal(size=n), dtype=torch.float32)
        yield "f", (x.requires_grad_(), h.requires_grad_()), {}
