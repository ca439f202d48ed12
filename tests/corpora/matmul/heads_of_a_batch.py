# expect: LOC301 safe scope=stacked
# expect: LOC301 safe scope=own_heads
# expect: LOC301 safe scope=filled
import torch


def stacked(x, w):
    b, n, d = x.shape
    H, d, k = w.shape
    outs = []
    for h in range(H):
        outs.append(x @ w[h])
    return torch.stack(outs)


def own_heads(x, w):
    b, H, n, d = x.shape
    H, d, k = w.shape
    outs = []
    for h in range(H):
        outs.append(x[:, h] @ w[h])
    return torch.stack(outs, dim=1)


def filled(x, w):
    b, n, d = x.shape
    H, d, k = w.shape
    out = torch.zeros(b, H, n, k)
    for h in range(H):
        out[:, h] = x @ w[h]
    return out


def cases(rng):
    def made(*shape):
        return torch.tensor(rng.standard_normal(shape)).float().requires_grad_()

    for n in (5, 1):
        yield "stacked", (made(2, n, 3), made(4, 3, 2)), {}
        yield "own_heads", (made(2, 4, n, 3), made(4, 3, 2)), {}
        yield "filled", (made(2, n, 3), made(4, 3, 2)), {}
