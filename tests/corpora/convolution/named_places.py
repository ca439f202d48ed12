# expect: LOC303 safe scope=forward
# expect: LOC303 safe scope=pooled
# expect: LOC306 safe scope=odd
"""Where a window begins and ends has names, bound one by one or together."""

import numpy as np


def forward(x, w, b, stride=1, pad=1):
    n_images, channels, height, width = x.shape
    n_filters, _, rows, columns = w.shape
    high = 1 + (height + 2 * pad - rows) // stride
    wide = 1 + (width + 2 * pad - columns) // stride
    xp = np.pad(x, ((0, 0), (0, 0), (pad, pad), (pad, pad)))
    out = np.zeros((n_images, n_filters, high, wide))
    for n in range(n_images):
        for f in range(n_filters):
            for i in range(high):
                for j in range(wide):
                    top, left = i * stride, j * stride
                    out[n, f, i, j] = (
                        np.sum(xp[n, :, top : top + rows, left : left + columns] * w[f]) + b[f]
                    )
    return out


def pooled(image, size, stride):
    height, width = image.shape
    high, wide = (height - size) // stride + 1, (width - size) // stride + 1
    out = np.zeros((high, wide))
    for i in range(high):
        begin = i * stride
        end = begin + size
        for j in range(wide):
            left = j * stride
            right = left + size
            out[i, j] = image[begin:end, left:right].max()
    return out


def odd(x: np.ndarray):
    n = x.shape[0] // 2
    out = np.zeros(n)
    for i in range(n):
        k = 2 * i + 1
        out[i] = x[k] * k
    return out


def cases(rng):
    for stride, pad in ((1, 1), (2, 0), (3, 2)):
        images, filters = rng.normal(size=(2, 3, 6, 5)), rng.normal(size=(4, 3, 3, 2))
        yield "forward", (images, filters, rng.normal(size=4), stride, pad), {}
    for size, stride in ((2, 2), (3, 1), (1, 1)):
        yield "pooled", (rng.normal(size=(7, 5)), size, stride), {}
    for n in (0, 1, 2, 7):
        yield "odd", (rng.normal(size=n),), {}
