# refuse: ASC101 how many elements there are has no name where the number of axes is not known
import torch


def restarted(x: torch.Tensor, starts: torch.Tensor):
    total = torch.zeros((), dtype=x.dtype)
    out = torch.empty_like(x)
    for i in range(x.numel()):
        if starts[i]:
            total = x[i]
        else:
            total = total + x[i]
        out[i] = total
    return out


def cases(rng):
    for length in (1, 9):
        x = torch.tensor(rng.normal(size=length))
        yield "restarted", (x, torch.tensor(rng.random(length) < 0.3)), {}
