# refuse: the step reads the tuple that it makes longer
import torch
from torch import Tensor


def run(x: Tensor, a: float):
    steps, width = x.shape
    h = torch.zeros(width)
    out = (torch.zeros(width),)
    for t in range(steps):
        h = a * h + x[t] * torch.stack(out).sum()
        out += (torch.tanh(h),)
    return torch.stack(out)


def cases(rng):
    yield "run", (torch.tensor(rng.random((5, 3)), dtype=torch.float32), 0.5), {}
