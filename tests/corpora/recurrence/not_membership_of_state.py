# refuse: a test of the state chooses the coefficient
import torch


def run(x: torch.Tensor, a: float):
    h = torch.zeros(x.shape[1])
    out = []
    for t in range(x.shape[0]):
        if 1.0 in (h > 0.5).float():
            h = 0.1 * h + x[t]
        else:
            h = a * h + x[t]
        out.append(h)
    return torch.stack(out)


def draw(rng, *shape, grad=True, dtype=torch.float32):
    x = torch.tensor(rng.standard_normal(shape), dtype=dtype)
    return x.requires_grad_() if grad else x


def cases(rng):
    for n in (1, 9):
        yield "run", (draw(rng, n, 3), 0.9), {}
