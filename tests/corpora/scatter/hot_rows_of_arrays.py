# expect: SPA406 advice scope=cluster_sums
# expect: SPA406 advice scope=by_comparison
import numpy as np


def cluster_sums(x: np.ndarray, assigned: np.ndarray, k: int):
    hot = np.zeros((len(assigned), k))
    hot[np.arange(len(assigned)), assigned] = 1
    return hot.T.dot(x)


def by_comparison(labels: np.ndarray, values: np.ndarray, n: int):
    member = (labels[:, None] == np.arange(n)[None, :]).astype(float)
    return member.T @ values


def cases(rng):
    yield "cluster_sums", (rng.normal(size=(9, 3)), rng.integers(0, 4, size=9), 4), {}
    yield "by_comparison", (rng.integers(0, 4, size=9), rng.normal(size=(9, 3)), 4), {}
