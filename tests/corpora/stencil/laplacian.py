# expect: LOC302 safe scope=laplace
import torch


def laplace(u):
    n, m = u.shape
    out = torch.zeros_like(u)
    for i in range(1, n - 1):
        for j in range(1, m - 1):
            out[i, j] = u[i - 1, j] + u[i + 1, j] + u[i, j - 1] + u[i, j + 1] - 4 * u[i, j]
    return out


def cases(rng):
    yield "laplace", (torch.from_numpy(rng.random((5, 7))).float().requires_grad_(),), {}
