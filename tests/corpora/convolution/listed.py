# expect: LOC303 safe scope=moving
# expect: LOC303 safe scope=channels
"""Windows whose sums are put into lists."""

import numpy as np
import torch


def moving(x: np.ndarray, k: int):
    (n,) = x.shape
    out = []
    for i in range(n - k + 1):
        out.append(x[i : i + k].mean())
    return np.array(out)


def channels(x: torch.Tensor, w: torch.Tensor):
    c, n = x.shape
    o, c, k = w.shape
    columns = [torch.einsum("ck,ock->o", x[:, t : t + k], w) for t in range(n - k + 1)]
    return torch.stack(columns, dim=1)


def cases(rng):
    def tensor(*shape):
        return torch.from_numpy(rng.standard_normal(shape)).requires_grad_()

    for n, k in ((1, 1), (9, 4), (5, 5)):
        yield "moving", (rng.standard_normal(n), k), {}
        yield "channels", (tensor(2, n), tensor(3, 2, k)), {}
