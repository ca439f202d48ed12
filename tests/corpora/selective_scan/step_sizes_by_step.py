# expect: ASC102 safe scope=scan
import torch


def scan(x, dt, A, B, C):
    T, N, D = x.shape
    h = torch.zeros(N, D, A.size(1))
    ys = []
    for xt, dtt, bt, ct in zip(x, dt, B, C):
        h = torch.exp(dtt[..., None] * A) * h + (dtt * xt)[..., None] * bt[:, None]
        ys.append(torch.einsum("bdn,bn->bd", h, ct))
    return torch.stack(ys)


def cases(rng):
    yield (
        "scan",
        (
            torch.randn(5, 2, 3, requires_grad=True),
            torch.rand(5, 2, 3).requires_grad_(),
            -torch.rand(3, 4),
            torch.randn(5, 2, 4, requires_grad=True),
            torch.randn(5, 2, 4, requires_grad=True),
        ),
        {},
    )
