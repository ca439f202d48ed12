# expect: SPA401 safe scope=rows
# expect: SPA401 unsafe scope=narrow
import numpy as np


def rows(table, places, n):
    return np.eye(n)[places].dot(table)


def narrow(table: np.ndarray, places: np.ndarray, n):
    selection = np.eye(n, dtype=np.float32)[places]
    return selection @ table


def cases(rng):
    for dtype in (np.float64, np.float32, np.int64, np.complex64):
        table = rng.standard_normal((4, 3)).astype(dtype)
        yield "rows", (table, np.array([0, 3, 3, -1]), 4), {}
    yield "narrow", (rng.standard_normal((4, 3)).astype(np.float32), np.array([2, 1]), 4), {}
