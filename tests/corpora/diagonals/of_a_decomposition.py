# expect: SPA402 safe scope=rebuilt
# expect: SPA402 safe scope=truncated
# expect: SPA402 safe scope=whitening
# expect: SPA402 safe scope=root
import numpy as np
import torch


def rebuilt(a):
    u, s, vt = np.linalg.svd(a, full_matrices=False)
    return u @ np.diag(s) @ vt


def truncated(a, k: int):
    u, s, vt = np.linalg.svd(a, full_matrices=False)
    return u[:, :k] @ np.diag(s[:k]) @ vt[:k, :]


def whitening(c):
    values, vectors = np.linalg.eigh(c)
    return vectors @ np.diag(1.0 / np.sqrt(values)) @ vectors.T


def root(c: torch.Tensor):
    values, vectors = torch.linalg.eigh(c)
    return vectors @ torch.diag(values.sqrt()) @ vectors.T


def cases(rng):
    for shape in ((4, 3), (2, 5), (1, 1)):
        a = rng.normal(size=shape)
        yield "rebuilt", (a,), {}
        yield "truncated", (a, 2), {}
        yield "whitening", (a.T @ a + np.eye(shape[1]),), {}
        c = torch.from_numpy(a.T @ a + np.eye(shape[1]))
        yield "root", (c,), {}
