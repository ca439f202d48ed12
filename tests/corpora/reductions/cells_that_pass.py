# expect: ASC106 safe scope=above
# expect: ASC106 safe scope=power
# expect: ASC106 safe scope=masked
# expect: ASC106 safe scope=exceeds
# expect: ASC106 safe scope=between
# expect: ASC106 safe scope=unmasked
# expect: ASC106 safe scope=correct
import numpy as np
import torch


def above(image):
    height, width = image.shape
    count = 0
    for y in range(height):
        for x in range(width):
            if image[y][x] > 0.5:
                count = count + 1
    return count / (height * width)


def power(a: np.ndarray):
    n, m = a.shape
    total, count = 0.0, 0
    for i in range(n):
        for j in range(m):
            if a[i, j] > 0:
                total += a[i, j] ** 2
                count += 1
    return total, count


def masked(a: np.ndarray, mask: np.ndarray):
    total = 0.0
    for i in range(a.shape[0]):
        for j in range(a.shape[1]):
            if not mask[i, j]:
                continue
            total += a[i, j]
    return total


def exceeds(a: np.ndarray, most: float):
    n, m = a.shape
    for i in range(n):
        for j in range(m):
            if a[i, j] > most:
                return True
    return False


def between(a: np.ndarray):
    count = 0
    for row in a:
        for v in row:
            if v > 0 and v < 1:
                count += 1
    return count


def unmasked(x: np.ndarray, mask: np.ndarray):
    total, count = 0.0, 0
    for i in range(x.shape[0]):
        if not mask[i]:
            continue
        total += x[i]
        count += 1
    return total, count


def correct(predicted: torch.Tensor, target: torch.Tensor):
    count = 0
    for p, t in zip(predicted, target):
        if p == t:
            count += 1
    return count / len(target)


def cases(rng):
    for shape in ((1, 1), (5, 4)):
        a = rng.normal(size=shape)
        for name in ("above", "power", "between"):
            yield name, (a,), {}
        yield "masked", (a, rng.normal(size=shape) > 0), {}
        yield "masked", (a, np.zeros(shape, dtype=int)), {}
        yield "exceeds", (a, 0.3), {}
        yield "exceeds", (a, 30), {}
        yield "unmasked", (a[:, 0], rng.normal(size=shape[0]) > 0), {}
    labels = torch.tensor([0, 1, 2, 1, 0])
    yield "correct", (labels, torch.tensor([0, 2, 2, 1])), {}
    yield "correct", (labels[:2], labels), {}
