# expect: ASC101 safe scope=chosen
# expect: ASC101 safe scope=in_branches
# expect: ASC101 safe scope=made_otherwise
import torch


def chosen(x, gate):
    h = torch.zeros(x.shape[0], x.shape[2])
    states = []
    for t in range(x.shape[1]):
        h = x[:, t] if t == 0 else gate[:, t] * h + x[:, t]
        states.append(h)
    return torch.stack(states, 1)


def in_branches(x, gate):
    batch, steps, width = x.shape
    h = torch.zeros(batch, width)
    y = torch.zeros(batch, steps, width)
    for t in range(steps):
        if t != 0:
            h = gate[:, t] * h + x[:, t]
        else:
            h = x[:, 0]
        y[:, t, :] = h
    return y


def made_otherwise(x, gate):
    h = torch.zeros(x.shape[0], x.shape[2])
    states = []
    for t in range(x.shape[1]):
        h = 2 * x[:, t] if t == 0 else gate[:, t] * h + x[:, t]
        states.append(h)
    return torch.stack(states, 1)


def cases(rng):
    for name in ("chosen", "in_branches", "made_otherwise"):
        for sizes in ((2, 5, 3), (1, 1, 1), (3, 2, 2)):
            yield name, (torch.randn(sizes, requires_grad=True), torch.rand(sizes)), {}
