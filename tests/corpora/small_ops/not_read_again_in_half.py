# refuse: the array rounds what a step puts into it before it is read again
import torch


def shifted(x: torch.Tensor):
    x = x.double()
    out = torch.zeros(len(x), dtype=torch.float16)
    for i in range(len(x)):
        out[i] = x[i]
        out[i] = out[i] - 1000.0
    return out


def cases(rng):
    yield "shifted", (torch.randn(5, dtype=torch.float64) + 1000,), {}
