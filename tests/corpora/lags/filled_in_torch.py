# expect: SYM604 safe scope=f
import torch


def f(x: torch.Tensor, t: torch.Tensor):
    (n,), (n,) = x.shape, t.shape
    kernel = torch.zeros(n, n, dtype=torch.float64)
    for i in range(n):
        for j in range(n):
            kernel[i, j] = t[abs(i - j)]
    return kernel @ x


def cases(rng):
    for n in (1, 2, 7):
        x, t = (torch.tensor(rng.normal(size=n), dtype=torch.float64) for _ in range(2))
        yield "f", (x.requires_grad_(), t.requires_grad_()), {}
