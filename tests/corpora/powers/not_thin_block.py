# refuse: ASC114 the block may have fewer columns than the matrix
import numpy as np


def krylov(a: np.ndarray, block: np.ndarray, n: int):
    size, _ = a.shape
    size, width = block.shape
    for _ in range(n):
        block = a @ block
    return block


def cases(rng):
    yield "krylov", (rng.random((4, 4)), rng.random((4, 2)), 3), {}
