# expect: SYM602 safe scope=kernel_matrix

import numpy as np


def kernel_matrix(points: np.ndarray):
    count = points.shape[0]
    kernel = np.empty((count, count))
    for i in range(count):
        for j in range(i + 1):
            kernel[i, j] = kernel[j, i] = np.dot(points[i], points[j])
    return kernel


def cases(rng):
    for shape in ((5, 3), (1, 4), (2, 1), (0, 2)):
        yield "kernel_matrix", (rng.random(shape),), {}
