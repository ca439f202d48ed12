# refuse: SYM604 the matrix is returned as well
import torch


def f(x: torch.Tensor, h: torch.Tensor):
    (n,), (n,) = x.shape, h.shape
    lag = torch.arange(n)[:, None] - torch.arange(n)[None, :]
    kernel = torch.where(lag >= 0, h[lag.clamp(min=0)], 0.0)
    return kernel @ x, kernel


def cases(rng):
    for n in (1, 2, 7, 12):
        x, h = (torch.tensor(rng.normal(size=n), dtype=torch.float32) for _ in range(2))
        yield "f", (x.requires_grad_(), h.requires_grad_()), {}
