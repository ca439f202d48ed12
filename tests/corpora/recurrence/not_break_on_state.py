# refuse: the loop ends when the state has grown too large
import torch


def simulate(a, b, limit=4.0):
    h = torch.zeros_like(b[0])
    path = []
    for t in range(b.shape[0]):
        h = a * h + b[t]
        path.append(h)
        if h.abs().max() > limit:
            break
    return torch.stack(path)


def cases(rng):
    b = torch.tensor(rng.standard_normal((40, 3)), dtype=torch.float32)
    yield "simulate", (1.05, b), {}
    yield "simulate", (0.5, b, 100.0), {}
