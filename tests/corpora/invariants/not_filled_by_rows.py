# refuse: RED501 the rows are views: what fills them changes what the term reads

import numpy as np


def weigh(table: np.ndarray, x: np.ndarray):
    rows, columns = table.shape
    out = []
    for i in range(len(x)):
        out.append(np.exp(table).sum(1) * x[i])
        [row.fill(i) for row in table]
    return out


def cases(rng):
    yield "weigh", (rng.normal(size=(4, 4)), rng.normal(size=3)), {}
