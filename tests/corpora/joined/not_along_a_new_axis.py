# expect: LOC306 safe scope=below
# refuse: ASC101 what is joined is not joined along the axis that was inserted, or is used besides
import torch


def side_by_side(x, a):
    b, t, d = x.shape
    h = torch.zeros(b, d)
    outs = []
    for i in range(t):
        h = torch.tanh(a * h + x[:, i])
        outs.append(h.unsqueeze(0))
    return torch.cat(outs, dim=1)


def below(x: torch.Tensor, w: torch.Tensor):
    n, d = x.shape
    (d,) = w.shape
    return torch.cat([torch.tanh(x[i] * w)[:, None] for i in range(n)], dim=0)


def longer(x: torch.Tensor, w: torch.Tensor):
    n, d = x.shape
    (d,) = w.shape
    rows = [w[None]]
    for i in range(n):
        rows.append(torch.tanh(x[i] * w)[None])
    return torch.cat(rows, dim=0)


def cases(rng):
    yield "side_by_side", (torch.randn(2, 3, 4), 0.5), {}
    yield "below", (torch.randn(3, 4), torch.randn(4)), {}
    yield "longer", (torch.randn(3, 4), torch.randn(4)), {}
