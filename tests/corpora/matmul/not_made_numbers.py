# refuse: LOC301 numbers of Python make an array of double precision, of any operands
import numpy as np


def products(x: np.ndarray, y: np.ndarray):
    n, d = x.shape
    m, d = y.shape
    return np.array([[float(x[i] @ y[j]) for j in range(m)] for i in range(n)])


def cases(rng):
    arrays = [rng.standard_normal(shape).astype(np.float32) for shape in ((3, 2), (4, 2))]
    yield "products", tuple(arrays), {}
