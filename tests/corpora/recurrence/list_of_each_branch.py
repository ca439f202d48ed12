# expect: ASC101 safe scope=smoothed
import torch


def smoothed(x: torch.Tensor, a: float):
    if x.ndim == 3:
        h = torch.zeros_like(x[:, 0])
        out = []
        for t in range(x.shape[1]):
            h = a * h + x[:, t]
            out.append(h)
        return torch.stack(out, 1)
    h = torch.zeros_like(x[0])
    out = []
    for t in range(x.shape[0]):
        h = a * h + x[t]
        out.append(h)
    return torch.stack(out)


def cases(rng):
    for shape in ((2, 5, 3), (5, 3), (1, 1, 2)):
        yield "smoothed", (torch.tensor(rng.random(shape), requires_grad=True), 0.7), {}
