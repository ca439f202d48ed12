# expect: ASC107 safe scope=log_partition
# expect: ASC107 safe scope=log_likelihood
# expect: ASC107 safe scope=by_columns
# expect: ASC107 safe scope=log_probabilities
# expect: ASC107 safe scope=cross_entropy
# expect: ASC107 safe scope=attend
# expect: ASC107 safe scope=of_counts
import numpy as np


def log_partition(theta):
    return np.log(np.sum(np.exp(theta), axis=-1))


def log_likelihood(log_joint):
    top = log_joint.max(axis=1, keepdims=True)
    return np.log(np.exp(log_joint - top).sum(axis=1)) + np.squeeze(top, 1)


def by_columns(x):
    e = np.exp(x.T - np.max(x, axis=1))
    return (e / e.sum(axis=0)).T


def log_probabilities(z):
    m = z.max(-1, keepdims=True)
    return z - m - np.log(np.exp(z - m).sum(-1, keepdims=True))


def cross_entropy(z, y):
    z = z - np.max(z, axis=1, keepdims=True)
    logs = z - np.log(np.exp(z).sum(axis=1, keepdims=True))
    return -logs[np.arange(len(y)), y].mean()


def attend(q, k, v, mask):
    s = np.matmul(q, np.swapaxes(k, -1, -2)) / np.sqrt(q.shape[-1])
    s = np.where(mask, s, -1e9)
    w = np.exp(s - s.max(axis=-1, keepdims=True))
    w /= w.sum(axis=-1, keepdims=True)
    return np.matmul(w, v)


def of_counts(counts):
    e = np.exp(counts - counts.max(axis=0))
    return e / e.sum(axis=0)


def cases(rng):
    for shape in ((2, 3), (1, 1), (90, 110)):
        for dtype in (np.float64, np.float32):
            x = (3 * rng.standard_normal(shape)).astype(dtype)
            for name in ("log_partition", "log_likelihood", "by_columns", "log_probabilities"):
                yield name, (x,), {}
                yield name, (np.asfortranarray(x),), {}
            yield "cross_entropy", (x, rng.integers(0, shape[1], shape[0])), {}
        yield "of_counts", (rng.integers(0, 9, shape),), {}
    q, k, v = (rng.standard_normal((2, 97, 5)) for _ in range(3))
    yield "attend", (q, k, v, rng.random((97, 97)) > 0.3), {}
