# expect: LOC303 safe scope=block_sums
import numpy as np


def block_sums(mat: np.ndarray, k: int):
    m, n = mat.shape
    out = np.zeros((m, n))
    for i in range(m):
        for j in range(n):
            total = 0.0
            for r in range(max(0, i - k), min(m, i + k + 1)):
                for c in range(max(0, j - k), min(n, j + k + 1)):
                    total += mat[r, c]
            out[i, j] = total
    return out


def cases(rng):
    yield "block_sums", (rng.standard_normal((7, 6)), 1), {}
    yield "block_sums", (rng.standard_normal((2, 3)), 4), {}
    yield "block_sums", (rng.integers(0, 9, (4, 5)), 0), {}
    yield "block_sums", (np.zeros((0, 3)), 1), {}
