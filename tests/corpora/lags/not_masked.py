# refuse: SYM604 behind the diagonal stands the first tap, not 0
import torch


def f(x: torch.Tensor, h: torch.Tensor):
    (n,), (n,) = x.shape, h.shape
    lag = torch.arange(n)[:, None] - torch.arange(n)[None, :]
    return h[lag.clamp(min=0)] @ x


def cases(rng):
    for n in (1, 2, 7, 12):
        x, h = (torch.tensor(rng.normal(size=n), dtype=torch.float32) for _ in range(2))
        yield "f", (x.requires_grad_(), h.requires_grad_()), {}
