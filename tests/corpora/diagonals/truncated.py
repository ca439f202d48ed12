# expect: SPA402 safe scope=truncated
import numpy as np


def truncated(a: np.ndarray, rank: int):
    u, s, vh = np.linalg.svd(a, full_matrices=False)
    (kept,) = s[:rank].shape
    return u[:, :rank] @ np.diag(s[:rank]) @ vh[:rank]


def cases(rng):
    yield "truncated", (rng.standard_normal((5, 4)), 2), {}
    yield "truncated", (rng.standard_normal((1, 1)), 1), {}
