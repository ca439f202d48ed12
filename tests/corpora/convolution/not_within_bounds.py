# refuse: what a step reads may wrap around, be rounded, be kept or be something else than a sum
import numpy as np


def around_the_end(image, kernel):
    h, w = image.shape
    out = np.zeros((h, w))
    for i in range(h):
        for j in range(w):
            for u in range(3):
                for v in range(3):
                    if i + u - 1 < h and j + v - 1 < w:
                        out[i, j] += image[i + u - 1, j + v - 1] * kernel[u, v]
    return out


def of_the_other_axis(image, kernel):
    h, w = image.shape
    out = np.zeros((h, w))
    for i in range(h):
        for j in range(w):
            for u in range(3):
                for v in range(3):
                    if 0 <= i + u - 1 < w and 0 <= j + v - 1 < h:
                        out[i, j] += image[i + u - 1, j + v - 1] * kernel[u, v]
    return out


def rounded_once(image, kernel):
    h, w = image.shape
    out = np.zeros((h, w), dtype=np.float32)
    for i in range(h):
        for j in range(w):
            total = 0.0
            for u in range(3):
                for v in range(3):
                    if 0 <= i + u - 1 < h and 0 <= j + v - 1 < w:
                        total += image[i + u - 1, j + v - 1] * kernel[u, v]
            out[i, j] = total
    return out


def in_place(image, kernel):
    h, w = image.shape
    for i in range(h):
        for j in range(w):
            for u in range(3):
                for v in range(3):
                    if 0 <= i + u - 1 < h and 0 <= j + v - 1 < w:
                        image[i, j] += image[i + u - 1, j + v - 1] * kernel[u, v]
    return image


def of_what_there_is(image, kernel):
    h, w = image.shape
    out = np.zeros((h, w))
    for i in range(h):
        for j in range(w):
            total, count = 0.0, 0
            for u in range(3):
                for v in range(3):
                    if 0 <= i + u - 1 < h and 0 <= j + v - 1 < w:
                        total += image[i + u - 1, j + v - 1] * kernel[u, v]
                        count += 1
            out[i, j] = total / count
    return out


def cases(rng):
    kernel = rng.standard_normal((3, 3))
    for name in ("around_the_end", "rounded_once", "in_place", "of_what_there_is"):
        yield name, (rng.standard_normal((4, 5)), kernel), {}
    yield "of_the_other_axis", (rng.standard_normal((4, 4)), kernel), {}
