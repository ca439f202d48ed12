# expect: ASC106 safe scope=lowest_inside
# expect: ASC106 safe scope=highest_but_second
# expect: ASC106 safe scope=every_other
# expect: ASC106 safe scope=largest_step
# expect: ASC106 safe scope=largest_rise
import numpy as np
import torch


def lowest_inside(x: np.ndarray):
    out = np.zeros(x.shape[1])
    for i in range(1, x.shape[0] - 1):
        out = np.minimum(out, x[i])
    return out


def highest_but_second(x: torch.Tensor):
    out = x[0]
    for i in range(2, x.shape[0]):
        out = torch.maximum(out, x[i])
    return out


def every_other(x: torch.Tensor):
    out = x[0]
    for i in range(2, len(x), 2):
        out = torch.maximum(out, x[i])
    return out


def largest_step(x: np.ndarray, n: int):
    out = 0.0
    for i in range(1, n):
        out = max(out, x[i] - x[i - 1])
    return out


def largest_rise(x: torch.Tensor):
    best = torch.full((x.shape[0],), -1e9)
    for t in range(1, x.shape[1]):
        best = torch.maximum(best, x[:, t] - x[:, t - 1])
    return best


def cases(rng):
    for rows in (1, 2, 3, 6):
        x = rng.standard_normal((rows, 4)).astype(np.float32)
        yield "lowest_inside", (x,), {}
        for name in ("highest_but_second", "every_other"):
            yield name, (torch.from_numpy(x).requires_grad_(),), {}
        yield "largest_rise", (torch.from_numpy(x.T.copy()).requires_grad_(),), {}
        for n in (-1, 0, 1, rows):
            yield "largest_step", (x[:, 0], n), {}
