# expect: LOC306 safe scope=ridge
# expect: LOC306 safe scope=jittered
# expect: LOC306 safe scope=of_a_vector
# expect: LOC306 safe scope=of_inverses
# expect: LOC306 safe scope=of_a_batch
# expect: LOC302 safe scope=above_it
# expect: ASC106 unsafe scope=degrees
# expect: LOC301 safe scope=of_a_product
# expect: LOC306 safe scope=from_the_second
# may: SPA402 unsafe scope=of_a_vector
# may: SPA402 unsafe scope=of_inverses
import numpy as np
import torch


def ridge(a: np.ndarray, lam: float):
    n = a.shape[0]
    for i in range(n):
        a[i, i] += lam
    return a


def jittered(k: torch.Tensor, noise: float):
    k = k.clone()
    for i in range(k.shape[0]):
        k[i, i] = k[i, i] * 2 + noise
    return k


def of_a_vector(v: np.ndarray, x: np.ndarray):
    n = len(v)
    d = np.zeros((n, n))
    for i in range(n):
        d[i, i] = v[i]
    return d @ x


def of_inverses(v: torch.Tensor, x: torch.Tensor):
    n = v.shape[0]
    d = torch.zeros(n, n)
    for i in range(n):
        d[i, i] = 1 / v[i]
    return d @ x


def of_a_batch(a: torch.Tensor, lam: float):
    b, n, _ = a.shape
    out = a.clone()
    for k in range(b):
        for i in range(n):
            out[k, i, i] += lam
    return out


def above_it(v: np.ndarray):
    n = len(v)
    d = np.zeros((n + 1, n + 1))
    for i in range(n):
        d[i, i + 1] = v[i] * 2
    return d


def degrees(adj: np.ndarray):
    n = adj.shape[0]
    d = np.zeros((n, n))
    for i in range(n):
        d[i, i] = adj[i].sum()
    return d - adj


def of_a_product(a: np.ndarray, b: np.ndarray):
    n, m = a.shape
    d = np.zeros((n, n))
    for i in range(n):
        for k in range(m):
            d[i, i] += a[i, k] * b[i, k]
    return d


def from_the_second(v: np.ndarray):
    n = len(v)
    d = np.eye(n)
    for i in range(1, n):
        d[i, i] = v[i] / 2
    return d


def cases(rng):
    def some(*shape):
        return torch.tensor(rng.normal(size=shape), dtype=torch.float32, requires_grad=True)

    for n in (4, 1):
        yield "ridge", (rng.normal(size=(n, n)), 0.5), {}
        yield "ridge", (rng.integers(0, 5, (n, n)), 0.5), {}
        yield "ridge", (rng.normal(size=(n, n + 2)), 0.5), {}
        yield "jittered", (some(n, n), 0.5), {}
        yield "of_a_vector", (rng.normal(size=n), rng.normal(size=(n, 3))), {}
        yield "of_inverses", (some(n), some(n, 3)), {}
        yield "of_a_batch", (some(2, n, n), 0.5), {}
        yield "above_it", (rng.normal(size=n),), {}
        yield "degrees", (rng.normal(size=(n, n)),), {}
        yield "of_a_product", (rng.normal(size=(n, 3)), rng.normal(size=(n, 3))), {}
        yield "from_the_second", (rng.normal(size=n),), {}
