# may: LOC303 advice scope=spans
# refuse: how many windows there are has no name
import numpy as np


def spans(x, w):
    out = []
    for i in range(x.size - w + 1):
        part = x[i : i + w]
        out.append(part.max() - part.min())
    return np.array(out)


def cases(rng):
    yield "spans", (rng.standard_normal(9), 3), {}
