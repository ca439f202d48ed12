# expect: SYM604 safe scope=f
import torch
import torch.nn.functional as F


def f(x: torch.Tensor, h: torch.Tensor):
    (n,), (n,) = x.shape, h.shape
    rows = F.pad(h, (0, n)).tile(n)[: n * (2 * n - 1)].reshape(n, 2 * n - 1)
    return x @ rows[:, :n]


def cases(rng):
    for n in (1, 2, 7, 12):
        x, h = (torch.tensor(rng.normal(size=n), dtype=torch.float32) for _ in range(2))
        yield "f", (x.requires_grad_(), h.requires_grad_()), {}
