# expect: ASC104 unsafe scope=fraction
# expect: ASC104 unsafe scope=fraction_by_d
# expect: ASC104 unsafe scope=rectified
# expect: ASC104 unsafe scope=bounded
"""Arrays that are called what the functions of a scan call their own, and are widened first."""

import torch


def fraction(x, b):
    s = torch.ones_like(x[0])
    out = []
    for t in range(x.shape[0]):
        s = x[t] / (b[t] + s)
        out.append(s)
    return torch.stack(out)


def fraction_by_d(x, d):
    s = torch.ones_like(x[0])
    out = []
    for t in range(x.shape[0]):
        s = x[t] / (d[t] + s)
        out.append(s)
    return torch.stack(out)


def rectified(scale, shift):
    s = torch.zeros_like(scale[0])
    out = []
    for t in range(scale.shape[0]):
        s = torch.relu(0.5 * scale[t] * s + shift[t])
        out.append(s)
    return torch.stack(out)


def bounded(x, low):
    s = torch.zeros_like(x[0])
    out = []
    for t in range(x.shape[0]):
        s = torch.maximum(s + x[t], low[t])
        out.append(s)
    return torch.stack(out)


def cases(rng):
    def G(*s):
        return torch.tensor(rng.uniform(0.5, 1.5, size=s), requires_grad=True)

    for name in ("fraction", "fraction_by_d", "rectified", "bounded"):
        yield name, (G(40, 3), G(40, 3)), {}
        yield name, (G(1, 2), G(1, 2)), {}
