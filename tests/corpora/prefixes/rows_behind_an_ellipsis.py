# expect: ASC105 safe scope=running_rows
# expect: ASC106 safe scope=total_of_a_part
import numpy as np
import torch


def running_rows(x: np.ndarray, start: int):
    out = np.zeros_like(x)
    s = np.zeros_like(x[..., 0, :])
    for i in range(start, x.shape[-2]):
        s = s + x[..., i, :]
        out[..., i, :] = s
    return out


def total_of_a_part(x: torch.Tensor, start: int):
    s = torch.zeros_like(x[..., 0, :])
    for i in range(start, x.shape[-2]):
        s = s + x[..., i, :]
    return s


def cases(rng):
    for shape in ((2, 7, 3), (2, 3, 7, 4), (3, 2, 2, 7, 6)):
        x = rng.normal(size=shape)
        for start in (0, 2):
            yield "running_rows", (x, start), {}
            yield "total_of_a_part", (torch.tensor(x), start), {}
