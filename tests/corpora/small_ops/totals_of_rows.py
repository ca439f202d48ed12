# expect: LOC306 unsafe scope=normalised
# expect: LOC306 unsafe scope=standardised
# expect: LOC306 unsafe scope=means
# expect: LOC306 unsafe scope=divided
# expect: LOC306 unsafe scope=divided
# expect: LOC301 unsafe scope=dots
# expect: LOC301 unsafe scope=weighted
# expect: SYM602 unsafe scope=gram
# expect: SEP205 unsafe scope=distances
# expect: LOC306 safe scope=described
# expect: LOC306 safe scope=unpacked
# expect: LOC306 safe scope=asserted
# expect: ASC106 safe scope=along_an_axis
# expect: LOC301 safe scope=of_vectors
import numpy as np
import torch


def normalised(x: torch.Tensor):
    """A total is a number of a row with any number of axes, which nothing says here."""
    out = torch.empty_like(x)
    for i in range(x.size(0)):
        out[i] = x[i] / x[i].norm()
    return out


def standardised(x: torch.Tensor):
    out = torch.empty_like(x)
    for i in range(x.size(0)):
        out[i] = (x[i] - x[i].mean()) / x[i].std()
    return out


def means(x: np.ndarray):
    return np.array([x[i].mean() for i in range(len(x))])


def divided(x: np.ndarray):
    """The second loop has its number of axes from the first alone."""
    sizes = np.zeros(len(x))
    for i in range(len(x)):
        sizes[i] = (x[i] ** 2).sum()
    out = np.empty_like(x)
    for i in range(len(x)):
        out[i] = x[i] / sizes[i]
    return out


def dots(q: np.ndarray, k: np.ndarray):
    """NumPy's `dot` multiplies numbers as well."""
    s = np.zeros((len(q), len(k)))
    for i in range(len(q)):
        for j in range(len(k)):
            s[i, j] = np.dot(q[i], k[j])
    return s


def weighted(x: np.ndarray, w: np.ndarray):
    out = np.zeros(len(x))
    for i in range(len(x)):
        out[i] = np.dot(x[i], w)
    return out


def gram(a: np.ndarray):
    g = np.zeros((len(a), len(a)))
    for i in range(len(a)):
        for j in range(i, len(a)):
            g[i, j] = g[j, i] = np.dot(a[i], a[j])
    return g


def distances(a: np.ndarray, b: np.ndarray):
    out = np.zeros((len(a), len(b)))
    for i in range(len(a)):
        for j in range(len(b)):
            out[i, j] = np.sqrt(np.sum((a[i] - b[j]) ** 2))
    return out


def described(x: torch.Tensor):
    """x: (N, D)"""
    out = torch.empty_like(x)
    for i in range(x.size(0)):
        out[i] = x[i] / x[i].norm()
    return out


def unpacked(x: torch.Tensor):
    n, d = x.shape
    out = torch.empty_like(x)
    for i in range(n):
        out[i] = x[i] / x[i].norm()
    return out


def asserted(x: torch.Tensor):
    assert x.dim() == 2
    out = torch.empty_like(x)
    for i in range(x.size(0)):
        out[i] = x[i] / x[i].norm()
    return out


def along_an_axis(x: np.ndarray):
    out = np.zeros(len(x))
    for i in range(len(x)):
        out[i] = x[i].sum(axis=0)
    return out


def of_vectors(a: torch.Tensor, b: torch.Tensor):
    """torch's `dot` takes vectors alone."""
    out = torch.empty(len(a), len(b))
    for i in range(len(a)):
        for j in range(len(b)):
            out[i, j] = torch.dot(a[i], b[j])
    return out


def cases(rng):
    for sizes in ((4, 3), (2, 2), (4, 3, 2)):
        x = torch.from_numpy(rng.normal(size=sizes))
        yield "normalised", (x,), {}
        yield "standardised", (x,), {}
        yield "means", (x.numpy(),), {}
        yield "divided", (x.numpy(),), {}
        yield "distances", (x.numpy(), x.numpy() + 1), {}
    for sizes in ((4,), (4, 3)):
        x = rng.normal(size=sizes)
        yield "dots", (x, x[:2]), {}
        yield "gram", (x,), {}
        yield "distances", (x, x + 1), {}
    yield "weighted", (rng.normal(size=(4, 3)), rng.normal(size=3)), {}
    yield "weighted", (rng.normal(size=4), np.float64(2.0)), {}
    for sizes in ((4, 3), (1, 2)):
        x = torch.from_numpy(rng.normal(size=sizes))
        yield "described", (x,), {}
        yield "unpacked", (x,), {}
        yield "asserted", (x,), {}
        yield "along_an_axis", (x.numpy(),), {}
        yield "of_vectors", (x.float(), x.float()), {}
