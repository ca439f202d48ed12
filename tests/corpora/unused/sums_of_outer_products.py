# expect: RED509 safe scope=total
# expect: RED509 safe scope=of_tensors
# expect: RED509 safe scope=spread
# expect: RED509 safe scope=of_rows
# expect: RED509 safe scope=averages
import numpy as np
import torch


def total(a, b):
    return np.outer(a, b).sum()


def of_tensors(a: torch.Tensor, b: torch.Tensor):
    (_,), (_,) = a.shape, b.shape
    return torch.outer(a, b).sum()


def spread(a: torch.Tensor, b: torch.Tensor):
    (_,), (_,) = a.shape, b.shape
    return (a[:, None] * b[None, :]).sum()


def of_rows(a: torch.Tensor, b: torch.Tensor):
    (_,), (_,) = a.shape, b.shape
    weights = torch.outer(a, b)
    return weights.sum(dim=1)


def averages(a: np.ndarray, b: np.ndarray):
    (_,), (_,) = a.shape, b.shape
    return 2 / np.mean(np.multiply.outer(a, b), axis=0)


def cases(rng):
    for n, m in ((5, 7), (1, 1), (3, 1)):
        a, b = rng.standard_normal(n), rng.standard_normal(m)
        yield "total", (a, b), {}
        yield "total", (a.tolist(), b.tolist()), {}
        yield "averages", (a, b), {}
        one, two = (torch.tensor(x.astype("float32"), requires_grad=True) for x in (a, b))
        for name in ("of_tensors", "spread", "of_rows"):
            yield name, (one, two), {}
