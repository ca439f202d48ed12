# expect: ASC101 safe scope=pulled
import torch

PULL = -0.25


def pulled(x, a: float):
    batch, steps, width = x.shape
    h, out = torch.zeros(batch, width), []
    for t in range(steps):
        h = a * h + PULL * x[:, t]
        out.append(h)
    return torch.stack(out, 1)


def cases(rng):
    for n in (1, 2, 9):
        x = torch.tensor(rng.standard_normal((2, n, 3)), dtype=torch.float32, requires_grad=True)
        yield "pulled", (x, 0.9), {}
