# expect: LOC303 safe scope=filtered
# expect: LOC303 safe scope=framed
# expect: LOC303 safe scope=mirrored
"""An image with half of a window around it: each window fits, be its size odd or even."""

import numpy as np
import torch
import torch.nn.functional as F


def filtered(image, kernel):
    h, w = image.shape
    kh, kw = kernel.shape
    top, left = kh // 2, kw // 2
    padded = np.pad(image, ((top, top), (left, left)), mode="edge")
    out = np.zeros((h, w))
    for y in range(h):
        for x in range(w):
            window = padded[y : y + kh, x : x + kw]
            out[y, x] = np.sum(window * kernel)
    return out


def framed(image, kernel):
    h, w = image.shape
    kh, kw = kernel.shape
    top, left = kh // 2, kw // 2
    padded = np.zeros((h + 2 * top, w + 2 * left))
    padded[top : top + h, left : left + w] = image
    out = np.zeros((h, w))
    for y in range(h):
        for x in range(w):
            out[y, x] = np.sum(padded[y : y + kh, x : x + kw] * kernel)
    return out


def mirrored(x, k):
    b, c, h, w = x.shape
    r = k // 2
    p = F.pad(x, (r, r, r, r), mode="reflect")
    out = torch.zeros(b, c, h, w)
    for i in range(h):
        for j in range(w):
            out[:, :, i, j] = p[:, :, i : i + k, j : j + k].mean(dim=(-2, -1))
    return out


def cases(rng):
    for shape, size in (((7, 6), (3, 3)), ((1, 1), (3, 5)), ((5, 4), (1, 1)), ((5, 4), (2, 4))):
        yield "filtered", (rng.normal(size=shape), rng.normal(size=size)), {}
        yield "framed", (rng.normal(size=shape), rng.normal(size=size)), {}
    for k in (1, 2, 3, 4):
        x = torch.tensor(rng.normal(size=(2, 3, 5, 6)), requires_grad=True)
        yield "mirrored", (x, k), {}
