# expect: LOC304 unsafe scope=around
# expect: LOC304 safe scope=before
# expect: LOC304 safe scope=filled
import torch


def around(q, k, v, reach: int):
    rows, size = q.shape
    outputs = []
    for i in range(rows):
        start, stop = max(i - reach, 0), min(i + reach + 1, rows)
        weights = torch.softmax(k[start:stop] @ q[i] / size**0.5, dim=0)
        outputs.append(weights @ v[start:stop])
    return torch.stack(outputs)


def before(q, k, v):
    batch, length, size = q.shape
    outputs = []
    for t in range(length):
        low = max(0, t - 4)
        near = k[:, low : t + 1]
        scores = (near @ q[:, t].unsqueeze(-1)).squeeze(-1) / size**0.5
        shares = scores.softmax(dim=-1)
        outputs.append((shares.unsqueeze(-1) * v[:, low : t + 1]).sum(1))
    return torch.stack(outputs, 1)


def filled(q, k, v):
    length, size = q.shape
    _, size = k.shape
    _, width = v.shape
    out = torch.zeros(length, width)
    for t in range(length):
        low = max(0, t - 2)
        out[t] = torch.softmax(k[low : t + 1] @ q[t], dim=0) @ v[low : t + 1]
    return out


def cases(rng):
    for n in (1, 2, 9):
        arrays = [torch.randn(n, 4, requires_grad=True) for _ in range(3)]
        yield "around", (*arrays, 2), {}
        yield "before", tuple(torch.randn(2, n, 4, requires_grad=True) for _ in range(3)), {}
        yield "filled", tuple(torch.randn(n, 4) for _ in range(3)), {}
