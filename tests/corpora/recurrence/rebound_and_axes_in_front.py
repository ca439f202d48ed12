# expect: ASC101 safe scope=in_front
# expect: ASC101 safe scope=unsqueezed
# expect: ASC101 safe scope=moved
# expect: ASC101 safe scope=counted
import torch


def in_front(x, a):
    B, L, D = x.shape
    h = torch.zeros(B, D)
    out = torch.zeros(B, L, D)
    for t in range(L):
        h = a[None] * h + x[:, t, :]
        out[:, t, :] = h
    return out


def unsqueezed(x, a):
    B, L, D = x.shape
    h = torch.zeros(B, D)
    out = []
    for t in range(L):
        h = a.unsqueeze(0) * h + x[:, t]
        out.append(h)
    return torch.stack(out, 1)


def moved(x, g):
    x = x.permute(1, 0, 2)
    g = g.permute(1, 0, 2).sigmoid()
    state = torch.zeros_like(x[0])
    out = torch.zeros_like(x)
    for i, (xi, gi) in enumerate(zip(x, g, strict=False)):
        state = state * gi + xi * (1 - gi)
        out[i] = state
    return out.permute(1, 0, 2)


def counted(x, g):
    x = x.permute(1, 0, 2)
    g = torch.sigmoid(g.permute(1, 0, 2))
    state = torch.zeros_like(x[0])
    out = []
    for i in range(x.shape[0]):
        state = state * g[i] + x[i] * (1 - g[i])
        out.append(state)
    return torch.stack(out)


def cases(rng):
    def tensor(*shape):
        return torch.tensor(rng.random(shape), dtype=torch.float32, requires_grad=True)

    for length in (1, 5):
        for name in ("in_front", "unsqueezed"):
            yield name, (tensor(2, length, 3), tensor(3)), {}
            yield name, (tensor(2, length, 3), tensor(1)), {}
        for name in ("moved", "counted"):
            yield name, (tensor(2, length, 3), tensor(2, length + 2, 3)), {}
    yield "moved", (tensor(2, 6, 3), tensor(2, 4, 3)), {}
