# expect: ASC101 safe scope=stacked
# expect: ASC101 safe scope=last
import torch


def stacked(x, gate):
    assert x.ndim == 2
    h = torch.zeros_like(x[:, 0])
    out = []
    for t in range(x.shape[1]):
        h = gate[:, t] * h + x[:, t]
        out.append(h)
    return torch.stack(out, 1)


def last(x, gate):
    batch, steps = x.shape
    h = torch.zeros(batch)
    for t in range(steps):
        h = gate[:, t] * h + x[:, t]
    return h


def cases(rng):
    for name in ("stacked", "last"):
        yield name, (torch.randn(3, 7, requires_grad=True), torch.rand(3, 7)), {}
        yield name, (torch.randn(1, 1), torch.rand(1, 1)), {}
