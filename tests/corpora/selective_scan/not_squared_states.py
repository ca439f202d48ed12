# refuse: ASC102 the states are squared where they are read out
import torch


def scan(x, delta, A, B, C):
    h = torch.zeros(x.shape[0], x.shape[2], A.shape[1])
    y = []
    for t in range(x.shape[1]):
        decay = torch.exp(delta[:, t, :, None] * A)
        h = decay * h + delta[:, t, :, None] * B[:, t, None, :] * x[:, t, :, None]
        y.append((h * h * C[:, t, None, :]).sum(-1))
    return torch.stack(y, 1)


def cases(rng):
    yield (
        "scan",
        (
            torch.randn(2, 5, 3, requires_grad=True),
            torch.rand(2, 5, 3).requires_grad_(),
            -torch.rand(3, 4),
            torch.randn(2, 5, 4, requires_grad=True),
            torch.randn(2, 5, 4, requires_grad=True),
        ),
        {},
    )
