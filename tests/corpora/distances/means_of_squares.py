# expect: SEP205 safe scope=means
# expect: SEP205 safe scope=share
# expect: SEP205 safe scope=single
# expect: SEP205 unsafe scope=similar
import numpy as np
import torch


def means(x: np.ndarray, y: np.ndarray):
    n, d = x.shape
    m, d = y.shape
    return ((x[:, None, :] - y[None, :, :]) ** 2).mean(2)


def share(x: np.ndarray, y: np.ndarray):
    n, d = x.shape
    m, d = y.shape
    return 1.0 / (1.0 + np.mean(np.square(x[:, None] - y), axis=-1)) * 2.0


def single(x: torch.Tensor, y: torch.Tensor):
    n, d = x.shape
    m, d = y.shape
    x, y = x.float(), y.float()
    return 0.5 ** ((x[:, None] - y[None]) ** 2).mean(-1)


def similar(x: torch.Tensor, y: torch.Tensor):
    """Nothing says that the numbers are not of half precision."""
    n, d = x.shape
    m, d = y.shape
    return torch.exp(-(x.unsqueeze(1) - y.unsqueeze(0)).pow(2).mean(-1))


def cases(rng):
    for n, m, d in ((4, 3, 5), (1, 2, 1)):
        x, y = rng.normal(size=(n, d)), rng.normal(size=(m, d))
        yield "means", (x, y), {}
        yield "share", (x, y), {}
        yield "single", (torch.tensor(x), torch.tensor(y)), {}
        yield "similar", (torch.tensor(x, requires_grad=True), torch.tensor(y)), {}
