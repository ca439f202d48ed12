# refuse: every state is rounded to single precision, of what is added in double
import torch


def smooth(x: torch.Tensor, a: float):
    h = torch.zeros(x.shape[1])
    out = []
    for t in range(x.shape[0]):
        h = (a * h + x[t].double()).to(h.dtype)
        out.append(h)
    return torch.stack(out)


def cases(rng):
    yield "smooth", (torch.rand(9, 3), 0.5), {}
    yield "smooth", (torch.rand(1, 2), 0.9), {}
