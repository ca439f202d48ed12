# expect: LOC302 safe scope=upwind
import torch


def upwind(u: torch.Tensor, c):
    n = u.shape[0]
    v = u.clone()
    for i in range(1, n):
        v[i] = u[i] - c * (u[i] - u[i - 1])
    return v


def cases(rng):
    yield "upwind", (torch.from_numpy(rng.random(9)).float().requires_grad_(), 0.3), {}
