# expect: ASC101 safe scope=run
import torch


def run(x, a):
    batch, steps, width = x.shape
    h = torch.zeros(batch, width)
    first = None
    out = []
    for t in reversed(range(steps)):
        h = a * h + x[:, t]
        if t == 0:
            first = h
        out.append(h)
    out.reverse()
    return torch.stack(out, 1), first


def cases(rng):
    for n in (1, 6):
        x = torch.tensor(rng.random((2, n, 3)), dtype=torch.float32, requires_grad=True)
        yield "run", (x, 0.5), {}
