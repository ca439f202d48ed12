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
                        * np.cos(np.pi / n * (x + 0.5) * u)
                        * np.cos(np.pi / n * (y + 0.5) * v)
                    )
            out[u, v] = s
    return out


def cases(rng):
    yield "dct2", (rng.standard_normal((8, 8)),), {}
    yield "dct2", (rng.standard_normal((0, 0)),), {}
