# expect: LOC305 safe scope=f
import torch


def f(x, m, G=1.0, eps=0.1):
    n = x.shape[0]
    acc = torch.zeros(n, 3, dtype=x.dtype)
    for i in range(n):
        for j in range(i + 1, n):
            d = x[j] - x[i]
            w = G * (d.pow(2).sum() + eps).rsqrt() ** 3
            acc[i] += m[j] * w * d
            acc[j] -= m[i] * w * d
    return acc


def cases(rng):
    draw = lambda *s: torch.tensor(rng.standard_normal(s), dtype=torch.float64).requires_grad_()
    for n in (1, 2, 9):
        yield "f", (draw(n, 3), draw(n)), {}
