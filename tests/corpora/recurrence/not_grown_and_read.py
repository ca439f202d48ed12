# refuse: the step reads the array that it makes longer
import torch


def run(x, a: float):
    steps, width = x.shape
    h = torch.zeros(width)
    out = torch.zeros(1, width)
    for t in range(steps):
        h = a * h + x[t] * out.shape[0]
        out = torch.cat([out, torch.tanh(out[-1:]) + h[None]])
    return out


def cases(rng):
    yield "run", (torch.tensor(rng.random((5, 3)), dtype=torch.float32), 0.5), {}
