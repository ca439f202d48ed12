# refuse: ASC109 not all of the array is filled, or more is read of it
import torch


def all_but_the_last(q, k, v):
    B, T, D = q.shape
    out = torch.zeros_like(q)
    for t in range(T - 1):
        s = (q[:, t, None] * k[:, : t + 1]).sum(-1) / D**0.5
        out[:, t] = (s.softmax(-1)[..., None] * v[:, : t + 1]).sum(1)
    return out


def another_axis(q, k, v):
    B, T, D = q.shape
    out = torch.zeros(B, D, T)
    for t in range(T):
        s = (q[:, t, None] * k[:, : t + 1]).sum(-1) / D**0.5
        out[:, t] = (s.softmax(-1)[..., None] * v[:, : t + 1]).sum(1)
    return out


def read_back(q, k, v):
    B, T, D = q.shape
    out = torch.zeros_like(q)
    for t in range(T):
        s = (q[:, t, None] * (k[:, : t + 1] + out[:, : t + 1])).sum(-1) / D**0.5
        out[:, t] = (s.softmax(-1)[..., None] * v[:, : t + 1]).sum(1)
    return out


def two_places(q, k, v):
    B, T, D = q.shape
    out = torch.zeros(B, T, T, D)
    for t in range(T):
        s = (q[:, t, None] * k[:, : t + 1]).sum(-1) / D**0.5
        out[:, t, t] = (s.softmax(-1)[..., None] * v[:, : t + 1]).sum(1)
    return out


def shifted(q, k, v):
    B, T, D = q.shape
    out = torch.zeros_like(q)
    for t in range(T):
        s = (q[:, t, None] * k[:, : t + 1]).sum(-1) / D**0.5
        out[:, T - 1 - t] = (s.softmax(-1)[..., None] * v[:, : t + 1]).sum(1)
    return out


def cases(rng):
    def draw(*shape):
        return torch.tensor(rng.normal(size=shape), dtype=torch.float32)

    for name in ("all_but_the_last", "another_axis", "read_back", "two_places", "shifted"):
        yield name, (draw(2, 4, 4), draw(2, 4, 4), draw(2, 4, 4)), {}
