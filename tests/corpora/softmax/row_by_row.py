# expect: ASC107 safe scope=rebound
# expect: ASC107 safe scope=indexed
# expect: ASC107 safe scope=comprehended
# expect: ASC107 safe scope=log_sums
# expect: ASC107 safe scope=columns
import torch
from torch import Tensor


def rebound(x: Tensor):
    rows, width = x.shape
    out = []
    for row in x:
        row = row - row.max()
        weights = row.exp()
        out.append(weights / weights.sum())
    return torch.stack(out)


def indexed(x: Tensor):
    rows, width = x.shape
    out = []
    for i in range(rows):
        weights = torch.exp(x[i] - x[i].max())
        out.append(weights / weights.sum())
    return torch.stack(out, dim=0), width


def comprehended(x: Tensor):
    rows, width = x.shape
    return torch.stack([torch.exp(row) / torch.exp(row).sum(-1) for row in x]) * width


def log_sums(x: Tensor):
    rows, width = x.shape
    out = []
    for i in range(rows):
        top = x[i].max()
        out.append(top + torch.log(torch.exp(x[i] - top).sum()))
    return torch.stack(out)


def columns(x: Tensor):
    rows, width = x.shape
    out = []
    for j in range(width):
        weights = torch.exp(x[:, j] - x[:, j].max())
        out.append(weights / weights.sum())
    return torch.stack(out, dim=1)


def cases(rng):
    def G(*s):
        return torch.tensor(rng.standard_normal(s), dtype=torch.float32, requires_grad=True)

    for name in ("rebound", "indexed", "comprehended", "log_sums", "columns"):
        for shape in ((3, 5), (4, 4), (1, 3), (2, 1)):
            yield name, (G(*shape),), {}
        yield name, (G(5, 3).detach().T.double().requires_grad_(),), {}
