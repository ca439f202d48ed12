# expect: SYM602 unsafe scope=kernel_matrix
# expect: SYM602 safe scope=of_sizes

import numpy as np


def kernel_matrix(points: np.ndarray):
    count = points.shape[0]
    kernel = np.empty((count, count))
    for i in range(count):
        for j in range(i + 1):
            kernel[i, j] = kernel[j, i] = np.dot(points[i], points[j])
    return kernel


def of_sizes(points: np.ndarray):
    count, width = points.shape
    kernel = np.empty((count, count))
    for i in range(count):
        for j in range(i + 1):
            kernel[i, j] = kernel[j, i] = np.dot(points[i], points[j])
    return kernel


def cases(rng):
    for shape in ((5, 3), (1, 4), (2, 1), (0, 2)):
        yield "kernel_matrix", (rng.random(shape),), {}
        yield "of_sizes", (rng.random(shape),), {}
    yield "kernel_matrix", (rng.random(4),), {}
