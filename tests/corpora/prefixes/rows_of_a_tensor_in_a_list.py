# expect: ASC105 safe scope=before
# expect: ASC105 safe scope=last
import torch


def before(x: torch.Tensor):
    out = [x[0]]
    for i in range(1, len(x)):
        out.append(out[i - 1] + x[i])
    return torch.stack(out)


def last(x: torch.Tensor):
    out = [x[0]]
    for i in range(1, x.shape[0]):
        out.append(out[-1] + x[i])
    return torch.stack(out)


def cases(rng):
    for size in ((5, 2), (1, 3), (4,)):
        yield "before", (torch.randn(size, requires_grad=True),), {}
        yield "last", (torch.randn(size, dtype=torch.float64),), {}
