# expect: ASC114 safe scope=smooth
import numpy as np


def smooth(kernel: np.ndarray):
    size, _ = kernel.shape
    result = np.identity(size)
    for _ in range(24):
        result = np.einsum("ij,kj->ik", result, kernel)
    return result


def cases(rng):
    yield "smooth", (rng.random((3, 3)) / 3,), {}
    yield "smooth", (rng.random((1, 1)),), {}
