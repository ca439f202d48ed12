# expect: LOC306 safe scope=rectified
# expect: LOC306 safe scope=between
# expect: LOC306 safe scope=hinges
# expect: LOC306 safe scope=at_most
import torch


def rectified(x: torch.Tensor):
    y = torch.zeros_like(x)
    for i in range(x.shape[0]):
        for j in range(x.shape[1]):
            y[i, j] = max(x[i, j], 0)
    return y


def between(x: torch.Tensor):
    n = x.shape[0]
    y = torch.zeros(n)
    for i in range(n):
        y[i] = min(max(x[i], 0.0), 1.0)
    return y


def hinges(s: torch.Tensor, y: torch.Tensor):
    out = torch.zeros(s.shape[0])
    for i in range(s.shape[0]):
        out[i] = max(0, 1 - y[i] * s[i])
    return out


def at_most(x: torch.Tensor, limit: float):
    out = torch.zeros_like(x)
    for i in range(x.shape[0]):
        out[i] = min(2 * x[i], limit)
    return out


def cases(rng):
    for n in (5, 1):
        x = torch.tensor(rng.normal(size=n), dtype=torch.float32, requires_grad=True)
        yield "rectified", (torch.tensor(rng.normal(size=(n, 3)), requires_grad=True),), {}
        yield "between", (x,), {}
        yield "hinges", (x, torch.tensor(rng.choice([-1.0, 1.0], n), dtype=torch.float32)), {}
        yield "at_most", (x.detach(), 0.25), {}
