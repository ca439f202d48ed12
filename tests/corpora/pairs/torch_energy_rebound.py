# expect: LOC305 safe scope=f
import torch


def f(x, m, G=1.0, eps=0.1):
    n = x.shape[0]
    e = torch.zeros((), dtype=x.dtype)
    for i in range(n):
        for j in range(i + 1, n):
            e = e - G * m[i] * m[j] / torch.norm(x[i] - x[j])
    return e


def cases(rng):
    draw = lambda *s: torch.tensor(rng.standard_normal(s), dtype=torch.float64).requires_grad_()
    for n in (1, 2, 9):
        yield "f", (draw(n, 3), draw(n)), {}
