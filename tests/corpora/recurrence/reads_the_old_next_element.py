# expect: ASC101 safe scope=run
import torch


def run(x: torch.Tensor, a: float):
    y = x.clone()
    for t in range(1, x.shape[0] - 1):
        y[t] = a * y[t - 1] + y[t + 1]
    return y


def draw(rng, *shape, grad=True, dtype=torch.float32):
    x = torch.tensor(rng.standard_normal(shape), dtype=dtype)
    return x.requires_grad_() if grad else x


def cases(rng):
    for n in (1, 2, 3, 9):
        yield "run", (draw(rng, n, 3), 0.9), {}
