# refuse: every item of the list is a tensor of its own
import torch


def backwards(x: torch.Tensor):
    beta = [torch.zeros_like(x[0])] * x.shape[0]
    beta[-1] = x[-1]
    for t in reversed(range(x.shape[0] - 1)):
        beta[t] = 0.5 * beta[t + 1] + x[t]
    beta[0] /= 2
    return beta


def cases(rng):
    yield "backwards", (torch.rand(5, 3),), {}
    yield "backwards", (torch.rand(1, 2),), {}
