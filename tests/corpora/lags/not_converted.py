# refuse: SYM603 the matrix is converted to another type
import torch


def f(x: torch.Tensor, c: torch.Tensor):
    (n,), (n,) = x.shape, c.shape
    matrix = torch.stack([torch.roll(c, k) for k in range(n)], dim=-1)
    return matrix.double() @ x.double()


def cases(rng):
    for n in (1, 2, 7, 12):
        x, h = (torch.tensor(rng.normal(size=n), dtype=torch.float32) for _ in range(2))
        yield "f", (x.requires_grad_(), h.requires_grad_()), {}
