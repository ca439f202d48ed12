# expect: LOC306 safe scope=lags
import torch


def lags(x: torch.Tensor, order: int):
    (length,) = x.shape
    out = torch.zeros(order, length - order)
    for k in range(order):
        out[k] = x[k : k + length - order]
    return out


def cases(rng):
    yield "lags", (torch.from_numpy(rng.standard_normal(9).astype("float32")), 3), {}
    yield "lags", (torch.from_numpy(rng.standard_normal(9).astype("float32")).requires_grad_(), 1), {}
