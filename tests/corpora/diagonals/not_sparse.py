# refuse: SPA402 a sparse matrix times a dense one is dense, a scaled sparse one is sparse
import numpy as np
from scipy.sparse import csr_matrix


def scaled(rows, weights: np.ndarray):
    (n,) = weights.shape
    table = csr_matrix(rows)
    return table @ np.diag(weights)


def cases(rng):
    yield "scaled", (rng.normal(size=(2, 3)), rng.normal(size=3)), {}
