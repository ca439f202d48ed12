# expect: ASC101 safe scope=read_out
# expect: ASC101 safe scope=decayed
# may: ASC101 safe|unsafe|advice scope=backwards
# may: ASC104 safe|unsafe|advice scope=peak
"""What is read step by step, with axes that nothing tells, has more rows than there are steps."""

import torch


def read_out(x: torch.Tensor, c: torch.Tensor):
    batch, steps, width = x.shape
    s = x.new_zeros(batch, width)
    ys = []
    for t in range(steps - 1):
        s = 0.9 * s + x[:, t]
        ys.append(s * c[t])
    return torch.stack(ys, dim=0)


def decayed(x: torch.Tensor, c: torch.Tensor):
    batch, steps, width = x.shape
    s = x.new_zeros(batch, width)
    ys = []
    for t in range(steps):
        s = c[t] * s + x[:, t]
        ys.append(s)
    return torch.stack(ys, dim=0)


def backwards(x: torch.Tensor, c: torch.Tensor):
    batch, heads, width, steps = x.shape
    s = x.new_zeros(batch, heads, width)
    ys = []
    for t in range(steps - 2, -1, -1):
        s = 0.9 * s + x[..., t]
        ys.append(s * c[t])
    return torch.stack(ys, dim=0)


def peak(x: torch.Tensor, decay: torch.Tensor):
    b, n, d = x.shape
    h = x.new_zeros(b, d)
    ys = []
    for t in range(n - 1):
        h = torch.maximum(decay[t] * h, x[:, t])
        ys.append(h)
    return torch.stack(ys)


def cases(rng):
    def draw(*shape):
        return torch.tensor(rng.standard_normal(shape), dtype=torch.float32)

    for rows in ((6,), (6, 3)):
        for name in ("read_out", "decayed", "peak"):
            yield name, (draw(2, 4, 3), draw(*rows)), {}
    yield "backwards", (draw(2, 3, 4, 4), draw(6)), {}
