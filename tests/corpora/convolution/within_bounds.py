# expect: LOC303 safe scope=same
# expect: LOC303 safe scope=turned
# expect: LOC303 safe scope=layer
# expect: LOC303 safe scope=strided
# expect: LOC303 safe scope=differences
import numpy as np


def same(image, kernel):
    h, w = image.shape
    m, n = kernel.shape
    result = np.zeros_like(image)
    for r in range(h):
        for c in range(w):
            for a in range(-(m // 2), m // 2 + 1):
                if r + a < 0 or r + a >= h:
                    continue
                for b in range(-(n // 2), n // 2 + 1):
                    if c + b < 0 or c + b >= w:
                        continue
                    result[r, c] += image[r + a, c + b] * kernel[a + m // 2, b + n // 2]
    return result


def turned(f, g):
    h, w = f.shape
    p, q = g.shape
    out = np.empty((h, w))
    for i in range(h):
        for j in range(w):
            total = 0.0
            for u in range(p):
                for v in range(q):
                    y, x = i - u + p // 2, j - v + q // 2
                    if 0 <= y < h and 0 <= x < w:
                        total += f[y, x] * g[u, v]
            out[i, j] = total
    return out


def layer(x, weight, bias):
    c, h, w = x.shape
    o, _, k, _ = weight.shape
    y = np.zeros((o, h, w))
    for m in range(o):
        for i in range(h):
            for j in range(w):
                for n in range(c):
                    for u in range(k):
                        for v in range(k):
                            row = i + u - k // 2
                            column = j + v - k // 2
                            if row >= 0 and row < h and column >= 0 and column < w:
                                y[m, i, j] += x[n, row, column] * weight[m, n, u, v]
                y[m, i, j] += bias[m]
    return y


def strided(image, kernel, stride, pad):
    h, w = image.shape
    rows, columns = (h + 2 * pad - 3) // stride + 1, (w + 2 * pad - 3) // stride + 1
    out = np.zeros((rows, columns))
    for i in range(rows):
        for j in range(columns):
            for u in range(3):
                for v in range(3):
                    y = i * stride + u - pad
                    x = j * stride + v - pad
                    if 0 <= y < h and 0 <= x < w:
                        out[i, j] += image[y, x] * kernel[u, v]
    return out


def differences(image, kernel):
    h, w = image.shape
    out = np.ones((h, w))
    for i in range(h):
        for j in range(w):
            for u in range(-1, 2):
                for v in range(-1, 2):
                    if 0 <= i + u < h and 0 <= j + v < w:
                        apart = image[i + u, j + v] - image[i, j]
                        out[i, j] -= np.exp(-(apart**2)) * kernel[u + 1, v + 1]
    return out


def cases(rng):
    endless = np.array([[np.inf, 1.0, 2.0], [3.0, 4.0, 5.0], [6.0, 7.0, 8.0]])
    for shape in ((7, 9), (1, 1), (2, 5), (0, 3)):
        yield "same", (rng.standard_normal(shape), rng.standard_normal((3, 5))), {}
        yield "turned", (rng.standard_normal(shape), rng.standard_normal((5, 4))), {}
    yield "turned", (rng.random((4, 4)) + 1, endless), {}
    yield "turned", (rng.standard_normal((4, 4)), np.zeros((0, 3))), {}
    yield "differences", (rng.standard_normal((5, 4)), rng.standard_normal((3, 3))), {}
    yield "differences", (rng.standard_normal((1, 1)), rng.standard_normal((3, 3))), {}
    weight = rng.standard_normal((3, 2, 3, 3))
    yield "layer", (rng.standard_normal((2, 5, 4)), weight, rng.standard_normal(3)), {}
    for stride, pad in ((1, 1), (2, 0), (3, 2), (2, 5)):
        kernel = rng.standard_normal((3, 3))
        yield "strided", (rng.standard_normal((7, 8)), kernel, stride, pad), {}
