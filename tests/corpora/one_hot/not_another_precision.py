# refuse: SPA401 the product is of double precision, the table is not
import numpy as np


def rows(table: np.ndarray, places: np.ndarray):
    n, width = table.shape
    (count,) = places.shape
    single = table.astype(np.float32)
    return np.eye(n)[places] @ single


def cases(rng):
    yield "rows", (rng.standard_normal((3, 4)), np.array([0, 2])), {}
