# expect: RED507 safe scope=newton
import torch

CURVE = torch.tensor([[4.0, 1.0], [1.0, 3.0]])


def gradient_of(x):
    return CURVE @ x + x**3


def hessian_of(x):
    return CURVE + torch.diag(3 * x**2)


def newton(x, steps: int, rate: float):
    for _ in range(steps):
        gradient = gradient_of(x)
        hessian = hessian_of(x)
        x = x - rate * torch.inverse(hessian) @ gradient
    return x


def cases(rng):
    yield "newton", (torch.randn(2), 4, 0.5), {}
    yield "newton", (torch.randn(2, requires_grad=True), 1, 1.0), {}
