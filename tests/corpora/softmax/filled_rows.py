# expect: ASC107 safe scope=alike
# expect: ASC107 safe scope=sized
# expect: ASC107 safe scope=wider
import torch
from torch import Tensor


def alike(x: Tensor):
    rows, width = x.shape
    out = torch.empty_like(x)
    for i in range(rows):
        weights = torch.exp(x[i] - x[i].max())
        out[i] = weights / weights.sum()
    return out


def sized(x: Tensor):
    out = torch.zeros(x.shape[0], x.shape[1])
    for i in range(x.shape[0]):
        shifted = x[i] - x[i].max()
        out[i] = shifted.exp() / shifted.exp().sum()
    return out * 2


def wider(x: Tensor):
    rows, width = x.shape
    out = torch.zeros((rows, width), dtype=torch.float64)
    for row in range(rows):
        e = torch.exp(x[row])
        out[row] = e / torch.sum(e)
    return out, width


def cases(rng):
    def G(*s):
        return torch.tensor(rng.standard_normal(s), dtype=torch.float32, requires_grad=True)

    for name in ("alike", "sized", "wider"):
        for shape in ((3, 5), (4, 4), (1, 3)):
            yield name, (G(*shape),), {}
        yield name, (torch.zeros(0, 2),), {}
        yield name, (G(4, 3).detach().double().T.requires_grad_(),), {}
