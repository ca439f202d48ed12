# expect: ASC106 safe scope=total
# expect: ASC106 safe scope=from_a_tensor
# expect: ASC101 safe scope=decayed
import torch


def total(x):
    s = torch.zeros_like(x[0])
    for t in range(x.shape[0]):
        s = s + x[t].item()
    return s * x[0]


def from_a_tensor(x):
    s = torch.tensor(0.0)
    for t in range(x.shape[0]):
        s = s + x[t].item()
    return s * x[0]


def decayed(x):
    h = torch.zeros((), dtype=x.dtype)
    out = []
    for i in range(len(x)):
        h = 0.9 * h + x[i, 0].item()
        out.append(h)
    return torch.stack(out) * x[0, 0]


def cases(rng):
    def G(*s):
        return torch.tensor(rng.standard_normal(s), dtype=torch.float32, requires_grad=True)

    for n in (1, 2, 7):
        yield "total", (G(n),), {}
        yield "from_a_tensor", (G(n),), {}
        yield "decayed", (G(n, 3),), {}
