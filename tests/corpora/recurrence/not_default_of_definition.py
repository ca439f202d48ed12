# refuse: the default is what the name was where the helper was defined
import torch

a = 0.5


def step(h, z, a=a):
    return a * h + z


a = 0.9
counts = [0.5]


def first(h, z, b=counts[0]):
    return b * h + z


counts[0] = 0.9


def smooth(x: torch.Tensor):
    h = torch.zeros(3)
    out = []
    for t in range(x.shape[0]):
        h = step(h, x[t])
        out.append(h)
    return torch.stack(out)


def of_item(x: torch.Tensor):
    h = torch.zeros(3)
    out = []
    for t in range(x.shape[0]):
        h = first(h, x[t])
        out.append(h)
    return torch.stack(out)


def cases(rng):
    for n in (1, 5):
        x = torch.tensor(rng.standard_normal((n, 3))).float().requires_grad_()
        yield "smooth", (x,), {}
        yield "of_item", (x,), {}
