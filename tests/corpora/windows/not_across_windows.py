# refuse: LOC308 what is folded are the windows, at one place of each

import numpy as np
import torch
from numpy.lib.stride_tricks import sliding_window_view


def mean_window(x: np.ndarray):
    windows = sliding_window_view(x, 3)
    return windows.mean(0)


def summed_window(x: np.ndarray):
    return sliding_window_view(x, 3).T.sum(1)


def largest_window(x: torch.Tensor):
    rows, columns = x.shape
    return x.unfold(-1, 3, 1).amax(dim=1)


def cases(rng):
    for n in (3, 4, 9):
        x = rng.standard_normal(n)
        yield "mean_window", (x,), {}
        yield "summed_window", (x,), {}
        yield "largest_window", (torch.tensor(np.stack([x, -x])),), {}
