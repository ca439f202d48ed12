# expect: SPA404 safe scope=lower
# expect: SPA404 safe scope=compared
# expect: SPA404 safe scope=chosen
# expect: SPA404 safe scope=gridded
# may: SPA404 unsafe scope=widened
import numpy as np


def lower(q, k, v):
    return np.tril(q @ k.T) @ v


def compared(q, k, v):
    n = q.shape[0]
    places = np.arange(n)
    scores = np.matmul(q, k.T)
    return (scores * (places[:, None] > places[None, :])) @ v


def chosen(q: np.ndarray, k: np.ndarray, v: np.ndarray):
    n = len(q)
    scores = np.einsum("id,jd->ij", q, k) / 4
    return np.where(np.tri(n, dtype=bool), scores, 0.0) @ v


def gridded(q, k, v):
    n = len(q)
    i, j = np.meshgrid(np.arange(n), np.arange(n), indexing="ij")
    return ((i >= j) * (q @ k.T)) @ v


def widened(q, k, v):
    n = q.shape[0]
    return (q @ k.T * np.tril(np.ones((n, n)))) @ v


def cases(rng):
    for n in (1, 5, 150):
        given = tuple(rng.standard_normal((n, 3)) for _ in range(3))
        for name in ("lower", "chosen", "compared", "gridded", "widened"):
            yield name, given, {}
            yield name, tuple(each.astype(np.float32) for each in given), {}
    one = tuple(rng.standard_normal((n, 3)) for n in (1, 5, 5))
    yield "lower", one, {}
    yield "compared", one, {}
    yield "gridded", one, {}
