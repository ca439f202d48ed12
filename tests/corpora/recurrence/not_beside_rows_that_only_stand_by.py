# expect: ASC101 unsafe scope=f
import torch


def f(x, u, gate):
    batch, steps = x.shape
    h = torch.zeros(3)
    out = []
    for t in range(steps):  # nothing that is carried on is read of `x`
        h = gate[:, t] * h + u[:, t]
        out.append(h)
    return torch.stack(out, 1), x


def cases(rng):
    yield "f", (torch.randn(3, 5), torch.randn(3, 5), torch.rand(3, 5)), {}
