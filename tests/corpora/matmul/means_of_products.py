# expect: LOC301 safe scope=means
# expect: LOC301 safe scope=over_the_middle
# expect: LOC301 safe scope=inverse
# expect: LOC301 unsafe scope=similar
import numpy as np
import torch


def means(x: np.ndarray, y: np.ndarray):
    n, d = x.shape
    m, d = y.shape
    return (x[:, None, :] * y[None, :, :]).mean(2)


def over_the_middle(x: np.ndarray, y: np.ndarray):
    n, d = x.shape
    d, m = y.shape
    return np.mean(x[:, :, None] * y[None], axis=1)


def inverse(x: np.ndarray, y: np.ndarray):
    n, d = x.shape
    m, d = y.shape
    return 2.0 / (x[:, None] * y).mean(-1) ** 2


def similar(x: torch.Tensor, y: torch.Tensor):
    """Nothing says that the numbers are not of half precision."""
    n, d = x.shape
    m, d = y.shape
    return torch.tanh((x.unsqueeze(1) * y.unsqueeze(0)).mean(-1))


def cases(rng):
    for n, m, d in ((4, 3, 5), (1, 2, 1)):
        x, y = rng.random((n, d)) + 0.5, rng.random((m, d)) + 0.5
        yield "means", (x, y), {}
        yield "over_the_middle", (x, y.T.copy()), {}
        yield "inverse", (x, y), {}
        yield "similar", (torch.tensor(x, requires_grad=True), torch.tensor(y)), {}
