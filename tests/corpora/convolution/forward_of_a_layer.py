# expect: LOC303 safe scope=forward
import numpy as np


def forward(images, filters, bias, stride=1, border=0):
    count, channels, height, width = images.shape
    kinds, _, fh, fw = filters.shape
    padded = np.pad(images, ((0, 0), (0, 0), (border, border), (border, border)), "constant")
    down = 1 + (height + 2 * border - fh) // stride
    across = 1 + (width + 2 * border - fw) // stride
    out = np.zeros((count, kinds, down, across))
    for n in range(count):
        for f in range(kinds):
            for i in range(down):
                for j in range(across):
                    part = padded[n, :, i * stride : i * stride + fh, j * stride : j * stride + fw]
                    out[n, f, i, j] = np.sum(part * filters[f]) + bias[f]
    return out


def cases(rng):
    for stride, border in ((1, 0), (1, 1), (2, 1), (3, 0)):
        images, filters = rng.normal(size=(2, 3, 7, 6)), rng.normal(size=(4, 3, 3, 2))
        yield "forward", (images, filters, rng.normal(size=4)), {"stride": stride, "border": border}
    yield "forward", (rng.normal(size=(1, 1, 1, 1)), rng.normal(size=(1, 1, 1, 1)), np.ones(1)), {}
