# refuse: from the first step on the state is in another type than it starts in
import torch


def filtered(x: torch.Tensor, a: float):
    n, d = x.shape
    h = torch.zeros(d)
    out = []
    for t in range(n):
        h = (a * h).double() + x[t]
        out.append(h)
    return torch.stack(out)


def added(x: torch.Tensor):
    n, d = x.shape
    h = torch.zeros(d)
    out = []
    for t in range(n):
        h = h.double() + x[t]
        out.append(h)
    return torch.stack(out)


def total(x: torch.Tensor):
    n, d = x.shape
    h = torch.zeros(d)
    for t in range(n):
        h = (h + x[t]).double()
    return h


def memory(q: torch.Tensor, k: torch.Tensor, v: torch.Tensor):
    b, n, d = k.shape
    state = torch.zeros(b, d, d, dtype=k.dtype)
    out = []
    for t in range(n):
        state = 0.9 * state.double() + k[:, t, :, None] * v[:, t, None, :]
        out.append((state * q[:, t, :, None]).sum(1))
    return torch.stack(out, 1)


def cases(rng):
    x = torch.tensor(rng.standard_normal((4, 3)), dtype=torch.float32)
    yield "filtered", (x, 0.9), {}
    yield "added", (x,), {}
    yield "total", (x,), {}
    yield "memory", tuple(x.expand(2, 4, 3) * n for n in (1, 2, 3)), {}
