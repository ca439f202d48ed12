# expect: LOC302 safe scope=filtered
# expect: LOC302 safe scope=in_lists
# expect: LOC302 safe scope=in_the_cells
# expect: LOC302 safe scope=four_around
# expect: LOC302 safe scope=eight_around
# expect: LOC302 safe scope=but_itself
# expect: LOC302 safe scope=weighted
# expect: LOC302 safe scope=summed
# expect: LOC302 safe scope=of_those_beside
# expect: LOC302 safe scope=every_other
# expect: LOC302 safe scope=relaxed
import numpy as np
import torch

EIGHT = [(-1, -1), (-1, 0), (-1, 1), (0, -1), (0, 1), (1, -1), (1, 0), (1, 1)]


def filtered(img: np.ndarray, k: np.ndarray):
    h, w = img.shape
    out = np.zeros((h, w))
    for i in range(1, h - 1):
        for j in range(1, w - 1):
            acc = 0.0
            for di in (-1, 0, 1):
                for dj in (-1, 0, 1):
                    acc += k[di + 1, dj + 1] * img[i + di, j + dj]
            out[i, j] = acc
    return out


def in_lists(img: np.ndarray):
    h, w = img.shape
    out = np.zeros_like(img)
    for i in range(1, h - 1):
        for j in range(1, w - 1):
            total = 0
            for di in [-1, 0, 1]:
                for dj in [-1, 0, 1]:
                    total += img[i + di, j + dj]
            out[i, j] = total / 9
    return out


def in_the_cells(img: torch.Tensor):
    h, w = img.shape
    out = torch.zeros(h, w)
    for i in range(1, h - 1):
        for j in range(1, w - 1):
            for di in (-1, 0, 1):
                for dj in (-1, 0, 1):
                    out[i, j] += img[i + di, j + dj]
    return out


def four_around(img: np.ndarray):
    h, w = img.shape
    out = np.zeros((h, w))
    for i in range(1, h - 1):
        for j in range(1, w - 1):
            total = 0.0
            for di, dj in [(-1, 0), (1, 0), (0, -1), (0, 1)]:
                total += img[i + di, j + dj]
            out[i, j] = total / 4
    return out


def eight_around(grid: np.ndarray):
    h, w = grid.shape
    out = np.zeros((h, w), dtype=np.int64)
    for i in range(1, h - 1):
        for j in range(1, w - 1):
            total = 0
            for dy, dx in EIGHT:
                total += grid[i + dy, j + dx]
            out[i, j] = total
    return out


def but_itself(img: torch.Tensor):
    h, w = img.shape
    out = torch.zeros(h, w)
    for i in range(1, h - 1):
        for j in range(1, w - 1):
            total = 0.0
            for di in range(-1, 2):
                for dj in range(-1, 2):
                    if di == 0 and dj == 0:
                        continue
                    total += img[i + di, j + dj]
            out[i, j] = total / 8
    return out


def weighted(x: np.ndarray):
    n = len(x)
    out = np.zeros(n)
    for i in range(2, n - 2):
        acc = 0.0
        for d, c in ((-2, 1.0), (-1, -8.0), (1, 8.0), (2, -1.0)):
            acc += c * x[i + d]
        out[i] = acc / 12
    return out


def summed(u: np.ndarray):
    h, w = u.shape
    out = np.zeros((h, w))
    for i in range(1, h - 1):
        for j in range(1, w - 1):
            out[i, j] = sum(u[i + di, j + dj] for di in (-1, 0, 1) for dj in (-1, 0, 1)) / 9
    return out


def of_those_beside(u: np.ndarray):
    offsets = ((0, 1), (1, 0), (0, -1), (-1, 0))
    h, w = u.shape
    out = np.zeros((h, w))
    for i in range(1, h - 1):
        for j in range(1, w - 1):
            out[i, j] = sum(u[i + a, j + b] for a, b in offsets) - 4 * u[i, j]
    return out


def every_other(x: torch.Tensor):
    n = x.shape[0]
    out = torch.zeros(n)
    for i in range(2, n - 2):
        s = 0.0
        for d in (-2, 0, 2):
            s += x[i + d]
        out[i] = s / 3
    return out


def relaxed(u: np.ndarray):
    h, w = u.shape
    new = u.copy()
    for i in range(1, h - 1):
        for j in range(1, w - 1):
            total = 0.0
            for di in (-1, 0, 1):
                for dj in (-1, 0, 1):
                    if abs(di) + abs(dj) == 1:
                        total += u[i + di, j + dj]
            new[i, j] = total / 4
    return new


def cases(rng):
    for size in ((6, 5), (3, 3), (2, 4)):
        img = rng.random(size)
        yield "filtered", (img, rng.random((3, 3))), {}
        yield "in_lists", (img,), {}
        yield "four_around", (img,), {}
        yield "eight_around", (rng.integers(0, 2, size),), {}
        yield "summed", (img,), {}
        yield "of_those_beside", (img,), {}
        yield "relaxed", (img,), {}
    for size in ((6, 5), (3, 3)):
        for name in ("in_the_cells", "but_itself"):
            tensor = torch.tensor(rng.random(size), dtype=torch.float32, requires_grad=True)
            yield name, (tensor,), {}
    yield "weighted", (rng.random(3),), {}
    for n in (9, 5):
        yield "weighted", (rng.random(n),), {}
        yield "every_other", (torch.tensor(rng.random(n), requires_grad=True),), {}
