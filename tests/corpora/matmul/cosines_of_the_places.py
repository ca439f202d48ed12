# expect: LOC301 safe scope=dct2
import numpy as np


def dct2(block: np.ndarray):
    n, m = block.shape
    out = np.zeros((n, n))
    for u in range(n):
        for v in range(n):
            s = 0.0
            for x in range(n):
                for y in range(n):
                    s += (
                        block[x, y]
                        * np.cos((2 * x + 1) * u * np.pi / (2 * n))
                        * np.cos((2 * y + 1) * v * np.pi / (2 * n))
                    )
            out[u, v] = s * 2 / n
    return out


def cases(rng):
    yield "dct2", (rng.standard_normal((8, 8)),), {}
    yield "dct2", (rng.standard_normal((3, 3)).astype(np.float32),), {}
