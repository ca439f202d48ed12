# expect: ASC101 safe scope=both
import torch


def both(x, a: float):
    batch, steps, width = x.shape
    f, b = torch.zeros(batch, width), torch.zeros(batch, width)
    forward, backward = [], []
    for t in range(steps):
        f = a * f + x[:, t]
        forward.append(f)
    for t in range(steps - 1, -1, -1):
        b = a * b + x[:, t]
        backward.append(b)
    backward = backward[::-1]
    return torch.cat([torch.stack(forward, 1), torch.stack(backward, 1)], dim=-1)


def cases(rng):
    for n in (1, 6):
        x = torch.tensor(rng.random((2, n, 3)), dtype=torch.float32, requires_grad=True)
        yield "both", (x, 0.5), {}
