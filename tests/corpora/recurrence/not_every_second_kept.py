# refuse: only some steps are kept
import torch


def run(x: torch.Tensor, a: float):
    y = []
    h = torch.zeros(x.shape[1])
    for t in range(x.shape[0]):
        h = a * h + x[t]
        if t % 2 == 0:
            y.append(h)
    return torch.stack(y)


def draw(rng, *shape, grad=True, dtype=torch.float32):
    x = torch.tensor(rng.standard_normal(shape), dtype=dtype)
    return x.requires_grad_() if grad else x


def cases(rng):
    for n in (1, 2, 9):
        yield "run", (draw(rng, n, 3), 0.9), {}
