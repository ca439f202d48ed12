# expect: ASC101 safe scope=leading
# expect: ASC101 safe scope=chained
# expect: ASC101 safe scope=counted
# may: ASC101 safe|unsafe|advice scope=unbound
# may: ASC104 safe|unsafe|advice scope=rectified
"""The loop reads a part of each row: the new code reads no more."""

import torch


def leading(x: torch.Tensor, a: float):
    b, n, d = x.shape
    h = torch.zeros(b, 2)
    out = []
    for t in range(n):
        h = a * h + x[:, t, :2]
        out.append(h)
    return torch.stack(out, 1)


def chained(x: torch.Tensor, a: float):
    b, n, d = x.shape
    h = torch.zeros(b, 2)
    out = []
    for t in range(n):
        h = a * h + x[:, t][:, :2]
        out.append(h)
    return torch.stack(out, 1)


def counted(x: torch.Tensor, a: float, k: int):
    b, n, d = x.shape
    h = torch.zeros(k, d)
    out = []
    for t in range(n):
        h = a * h + x[:k][:, t]
        out.append(h)
    return torch.stack(out, 1)


def unbound(x: torch.Tensor, a: float):
    h = 0
    out = []
    for row in x[..., :2].unbind(1):
        h = a * h + row
        out.append(h)
    return torch.stack(out, dim=1)


def rectified(x: torch.Tensor):
    b, n, d = x.shape
    m = torch.zeros(b, 2)
    out = []
    for t in range(n):
        m = torch.relu(0.5 * m + x[..., :2][:, t])
        out.append(m)
    return torch.stack(out, 1)


def cases(rng):
    for n in (1, 4):
        x = torch.tensor(rng.standard_normal((3, n, 5)), dtype=torch.float32)
        for name in ("leading", "chained", "unbound"):
            yield name, (x, 0.9), {}
        yield "counted", (x, 0.9, 2), {}
        yield "rectified", (x,), {}
