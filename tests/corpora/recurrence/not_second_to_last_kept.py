# refuse: the state kept is that of another step than the last
import torch


def run(x, a: float):
    steps = x.shape[0]
    h = torch.zeros(x.shape[1])
    kept = None
    out = []
    for t in range(steps):
        h = a * h + x[t]
        if t == steps - 2:
            kept = h
        out.append(h)
    return torch.stack(out), kept


def cases(rng):
    yield "run", (torch.tensor(rng.random((5, 3)), dtype=torch.float32), 0.5), {}
