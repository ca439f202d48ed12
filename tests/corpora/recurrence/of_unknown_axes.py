# expect: ASC104 unsafe scope=scores
# expect: ASC104 safe scope=sweep
import torch


def scores(x, a):
    total = torch.full_like(x[0], float("-inf"))
    out = []
    for row, decay in zip(x, a):
        total = torch.logaddexp(total + decay, row)
        out.append(total)
    return torch.stack(out)


def sweep(lower, diagonal, upper):
    n = diagonal.shape[0]
    out = torch.zeros_like(diagonal)
    out[0] = upper[0] / diagonal[0]
    for i in range(1, n):
        out[i] = upper[i] / (diagonal[i] - lower[i] * out[i - 1])
    return out


def cases(rng):
    yield "scores", (torch.randn(7, 3, requires_grad=True), torch.randn(7, 3)), {}
    yield "scores", (torch.randn(1, 2), torch.randn(1, 2)), {}
    bands = torch.rand(6, 2), 3 + torch.rand(6, 2), torch.rand(6, 2)
    yield "sweep", bands, {}
    yield "sweep", (torch.rand(6, 2), 3 + torch.rand(6, 5, 2), torch.rand(6, 5, 1)), {}
