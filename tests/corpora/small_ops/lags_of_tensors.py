# expect: LOC306 safe scope=lags
import torch


def lags(x: torch.Tensor, order: int):
    (length,) = x.shape
    out = torch.zeros(order, length - order)
    for k in range(order):
        out[k] = x[k : k + length - order]
    return out


def cases(rng):
    for needed in (False, True):
        x = torch.from_numpy(rng.standard_normal(9).astype("float32"))
        yield "lags", (x.requires_grad_(needed), 3), {}
        yield "lags", (x.requires_grad_(needed), 1), {}
