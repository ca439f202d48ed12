# refuse: LOC301 more is skipped than what adds nothing, or a zero has a gradient
import numpy as np
import torch


def more_than_a_product(a: np.ndarray, x: np.ndarray):
    n, m = a.shape
    y = np.zeros(n)
    for i in range(n):
        for j in range(m):
            if a[i, j] != 0:
                y[i] += a[i, j] * x[j] + 1
    return y


def counted(a: np.ndarray, x: np.ndarray):
    n, m = a.shape
    y, count = np.zeros(n), 0
    for i in range(n):
        for j in range(m):
            if a[i, j] != 0:
                y[i] += a[i, j] * x[j]
                count += 1
    return y, count


def another_element(a: np.ndarray, x: np.ndarray):
    n, m = a.shape
    y = np.zeros(n)
    for i in range(n):
        for j in range(m):
            if a[i, j] != 0:
                y[i] += a[i, j - 1] * x[j]
    return y


def another_number(a: np.ndarray, x: np.ndarray):
    n, m = a.shape
    y = np.zeros(n)
    for i in range(n):
        for j in range(m):
            if a[i, j] != 1:
                y[i] += a[i, j] * x[j]
    return y


def the_zeros(a: np.ndarray, x: np.ndarray):
    n, m = a.shape
    y = np.zeros(n)
    for i in range(n):
        for j in range(m):
            if a[i, j] == 0:
                y[i] += a[i, j] * x[j] + x[j]
    return y


def by_a_setting(a: np.ndarray, x: np.ndarray, scale):
    n, m = a.shape
    y = np.zeros(n)
    for i in range(n):
        for j in range(m):
            if scale:
                y[i] += scale * a[i, j] * x[j]
    return y


def of_tensors(a: torch.Tensor, x: torch.Tensor):
    n, m = a.shape
    y = torch.zeros(n, dtype=a.dtype)
    for i in range(n):
        for j in range(m):
            if not a[i, j]:
                continue
            y[i] -= x[j] * a[i, j]
    return y


def cases(rng):
    a = np.maximum(rng.normal(size=(4, 5)), 0)
    for name in (
        "more_than_a_product", "counted", "another_element", "another_number", "the_zeros"
    ):  # fmt: skip
        yield name, (a, rng.normal(size=5)), {}
    yield "by_a_setting", (a, rng.normal(size=5), None), {}
    leaves = [torch.tensor(each, requires_grad=True) for each in (a, rng.normal(size=5))]
    yield "of_tensors", (*leaves,), {}
