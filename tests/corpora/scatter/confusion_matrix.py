# expect: SPA406 safe scope=confusion
import numpy as np


def confusion(y_true, y_pred, n_classes):
    assert y_true.shape == y_pred.shape
    m = np.zeros((n_classes, n_classes), dtype=np.int64)
    for t, p in zip(y_true, y_pred):
        m[t, p] += 1
    return m


def cases(rng):
    yield "confusion", (rng.integers(0, 7, 9), rng.integers(0, 7, 9), 8), {}
