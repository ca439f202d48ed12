# expect: LOC305 safe scope=f
import torch


def f(x, m, G=1.0, eps=0.1):
    n = x.shape[0]
    out = torch.zeros(n, 3, dtype=x.dtype)
    for i in range(n):
        s = torch.zeros(3, dtype=x.dtype)
        for j in range(n):
            if i == j:
                continue
            d = x[j] - x[i]
            s = s + m[j] * d / (torch.linalg.norm(d) ** 3 + eps)
        out[i] = s
    return out


def cases(rng):
    draw = lambda *s: torch.tensor(rng.standard_normal(s), dtype=torch.float64).requires_grad_()
    for n in (1, 2, 9):
        yield "f", (draw(n, 3), draw(n)), {}
