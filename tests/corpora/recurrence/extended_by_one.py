# expect: ASC101 safe scope=states
import torch


def states(x: torch.Tensor):
    h = torch.zeros_like(x[0])
    out = []
    for t in range(x.shape[0]):
        h = 0.5 * h + x[t]
        out.extend([h])
    return torch.stack(out)


def kept(x: torch.Tensor):
    out = []
    for t in range(x.shape[0]):
        out.extend([x[t], x[t]])
    return out


def cases(rng):
    for length in (1, 6):
        yield "states", (torch.tensor(rng.random((length, 3)), requires_grad=True),), {}
        yield "kept", (torch.tensor(rng.random((length, 3)), requires_grad=True),), {}
