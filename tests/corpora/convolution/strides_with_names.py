# expect: LOC303 safe scope=convolved
# expect: LOC303 safe scope=pooled
# expect: LOC303 safe|unsafe scope=averaged
import numpy as np
import torch


def convolved(x: np.ndarray, w: np.ndarray, stride: int):
    rows, columns = x.shape
    p, q = w.shape
    height = 1 + (rows - p) // stride
    width = 1 + (columns - q) // stride
    out = np.zeros((height, width))
    for i in range(height):
        for j in range(width):
            window = x[i * stride : i * stride + p, j * stride : j * stride + q]
            out[i, j] = np.sum(window * w)
    return out


def pooled(x: torch.Tensor):
    b, c, h, w = x.shape
    found = torch.zeros(b, c, h // 2, w // 2)
    for i in range(h // 2):
        for j in range(w // 2):
            window = x[:, :, 2 * i : 2 * i + 2, 2 * j : 2 * j + 2]
            found[:, :, i, j] = window.amax(dim=(2, 3))
    return found


def averaged(x: np.ndarray, size: int):
    n = x.shape[0]
    out = np.empty(n // size)
    for i in range(n // size):
        out[i] = x[i * size : i * size + size].sum()
    return out


def cases(rng):
    for stride in (1, 2, 3):
        yield "convolved", (rng.normal(size=(9, 8)), rng.normal(size=(3, 2)), stride), {}
    for shape in ((2, 3, 7, 6), (1, 1, 2, 2), (1, 2, 1, 4)):
        yield "pooled", (torch.randn(*shape, requires_grad=True),), {}
    yield "averaged", (rng.normal(size=11), 3), {}
    yield "averaged", (rng.normal(size=4), 1), {}
