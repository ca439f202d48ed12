# expect: LOC305 safe scope=f
import torch


def f(x: torch.Tensor, m: torch.Tensor, G=1.0, eps=0.1):
    n = x.size(0)
    a = torch.zeros_like(x)
    for i in range(n):
        for j in range(n):
            if i == j:
                continue
            r = x[j] - x[i]
            a[i] += G * m[j] * r / (r.dot(r) + eps**2) ** 1.5
    return a


def cases(rng):
    draw = lambda *s: torch.tensor(rng.standard_normal(s), dtype=torch.float64).requires_grad_()
    for n in (1, 2, 9):
        yield "f", (draw(n, 3), draw(n)), {}
