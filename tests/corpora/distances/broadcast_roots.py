# expect: SEP205 safe scope=norms
# expect: SEP205 safe scope=lengths
# expect: SEP205 safe scope=apart
# expect: SEP205 safe scope=roots
import torch


def norms(x: torch.Tensor, y: torch.Tensor):
    return torch.norm(x[:, None] - y, dim=-1)


def lengths(x: torch.Tensor, y: torch.Tensor):
    return torch.linalg.norm(x.unsqueeze(-2) - y.unsqueeze(-3), dim=-1)


def apart(x: torch.Tensor):
    return (x[:, None] - x[None]).norm(dim=-1)


def roots(x: torch.Tensor, y: torch.Tensor):
    n, d = x.shape
    m, d = y.shape
    table = (x.unsqueeze(1).expand(n, m, d) - y.unsqueeze(0).expand(n, m, d)) ** 2
    return torch.sqrt(table.sum(-1) + 1e-6)


def both(rng, n, m, d, *lead):
    x = torch.from_numpy(rng.standard_normal((*lead, n, d))).float().requires_grad_()
    y = torch.from_numpy(rng.standard_normal((*lead, m, d))).float().requires_grad_()
    return x, y


def cases(rng):
    for n, m, d in ((1, 1, 1), (5, 4, 3), (23, 31, 7)):
        yield "norms", both(rng, n, m, d), {}
        yield "lengths", both(rng, n, m, d, 2), {}
        yield "roots", both(rng, n, m, d), {}
    x, _ = both(rng, 33, 1, 5)
    yield "apart", (x,), {}
    yield "lengths", both(rng, 23, 31, 7, 2, 3), {}
