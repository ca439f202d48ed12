# expect: LOC302 safe scope=averaged
# expect: LOC306 safe scope=around
import torch


def averaged(u):
    h, w = u.shape
    out = u.clone()
    for i in range(h):
        for j in range(w):
            left = u[i, j - 1] if j != 0 else 0.0
            right = 0.0 if j == w - 1 else u[i, j + 1]
            out[i, j] = (left + right) / 2
    return out


def around(u):
    h, w = u.shape
    out = torch.zeros_like(u)
    for i in range(h):
        for j in range(w):
            above = i - 1 if i > 0 else h - 1
            below = 0 if i == h - 1 else i + 1
            out[i, j] = u[above, j] + u[below, j] - 2 * u[i, j]
    return out


def cases(rng):
    for shape in ((5, 4), (1, 1), (1, 3)):
        for name in ("averaged", "around"):
            u = torch.tensor(rng.standard_normal(shape).astype("float32"), requires_grad=True)
            yield name, (u,), {}
