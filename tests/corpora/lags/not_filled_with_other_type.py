# refuse: SYM603 the cells are of another type than the vector
import torch


def f(x: torch.Tensor, t: torch.Tensor):
    (n,), (n,) = x.shape, t.shape
    t, x = t.float(), x.double()
    kernel = torch.zeros(n, n, dtype=torch.float64)
    for i in range(n):
        for j in range(n):
            kernel[i, j] = t[(i - j) % n]
    return kernel @ x


def cases(rng):
    for n in (1, 2, 7, 12):
        x, h = (torch.tensor(rng.normal(size=n), dtype=torch.float32) for _ in range(2))
        yield "f", (x.requires_grad_(), h.requires_grad_()), {}
    x, h = (torch.tensor(rng.normal(size=18))[::2] for _ in range(2))
    yield "f", (x.requires_grad_(), h.requires_grad_()), {}
