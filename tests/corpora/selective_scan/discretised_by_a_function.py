# expect: ASC102 safe scope=run
import torch


def discretize(dt, A, B, x):
    A_bar = torch.exp(dt.unsqueeze(-1) * A)
    B_bar_x = dt.unsqueeze(-1) * B.unsqueeze(-2) * x.unsqueeze(-1)
    return A_bar, B_bar_x


def run(x, dt, A, B, C):
    A_bar, Bx = discretize(dt, A, B, x)
    state = torch.zeros_like(Bx[:, 0])
    ys = []
    for t in range(x.shape[1]):
        state = A_bar[:, t] * state + Bx[:, t]
        ys.append((state * C[:, t].unsqueeze(1)).sum(dim=-1))
    return torch.stack(ys, dim=1)


def cases(rng):
    yield (
        "run",
        (
            torch.randn(2, 5, 3, requires_grad=True),
            torch.rand(2, 5, 3).requires_grad_(),
            -torch.rand(3, 4),
            torch.randn(2, 5, 4, requires_grad=True),
            torch.randn(2, 5, 4, requires_grad=True),
        ),
        {},
    )
