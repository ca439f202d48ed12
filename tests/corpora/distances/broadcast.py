# expect: SEP205 safe scope=squares
# expect: SEP205 safe scope=gauss
# expect: SEP205 safe scope=itself
import torch


def squares(x, y):
    return ((x[:, None] - y[None]) ** 2).sum(-1)


def gauss(x: torch.Tensor, y: torch.Tensor, gamma: float):
    apart = x.unsqueeze(1) - y.unsqueeze(0)
    return torch.exp(-gamma * apart.pow(2).sum(dim=2))


def itself(x: torch.Tensor):
    n, d = x.shape
    apart = x[:, None, :] - x[None, :, :]
    table = (apart * apart).sum(2)
    table.fill_diagonal_(float("inf"))
    return table.min(1).values


def both(rng, n, m, d, *lead):
    x = torch.from_numpy(rng.standard_normal((*lead, n, d))).float().requires_grad_()
    y = torch.from_numpy(rng.standard_normal((*lead, m, d))).float().requires_grad_()
    return x, y


def cases(rng):
    for n, m, d in ((1, 1, 1), (5, 4, 3), (23, 31, 7), (0, 4, 3)):
        x, y = both(rng, n, m, d)
        yield "squares", (x, y), {}
        yield "squares", (x.detach().double(), y), {}
        yield "gauss", (x.detach().mT.contiguous().mT.requires_grad_(), y, 0.3), {}
    x, y = both(rng, 40, 40, 5)
    yield "itself", (x,), {}
    yield "squares", (x.detach().half(), y.detach().half()), {}
    yield "squares", (torch.arange(120).reshape(40, 3), torch.arange(90).reshape(30, 3)), {}
    yield "squares", both(rng, 9, 9, 5, 8), {}
