# expect: RED509 safe scope=of_pairs
# expect: RED509 safe scope=contrasted
# expect: RED509 safe scope=quadratic
# expect: RED509 safe scope=of_columns
# expect: RED509 safe scope=by_letters
# expect: RED509 unsafe scope=of_arrays
import numpy as np
import torch


def of_pairs(a: torch.Tensor, b: torch.Tensor):
    sim = a @ b.t()
    idx = torch.arange(a.size(0))
    pos = sim[idx, idx]
    return pos.mean()


def contrasted(z1: torch.Tensor, z2: torch.Tensor, t: float):
    n = z1.shape[0]
    logits = torch.matmul(z1, z2.T)
    rows = torch.arange(n)
    return -(logits[rows, rows] / t).sum()


def quadratic(x: np.ndarray, s: np.ndarray):
    n, d = x.shape
    q = x @ s @ x.T
    return q[np.arange(n), np.arange(n)]


def of_columns(z1: torch.Tensor, z2: torch.Tensor):
    both = z1.T @ z2
    i = torch.arange(z2.shape[1])
    return both[i, i].sum()


def by_letters(z1: torch.Tensor, z2: torch.Tensor):
    sim = torch.einsum("id,jd->ij", z1, z2)
    i = torch.arange(z1.shape[0])
    return sim[i, i]


def of_arrays(a: np.ndarray, b: np.ndarray):
    s = a @ b
    n = len(s)
    return s[np.arange(n), np.arange(n)]


def cases(rng):
    def some(n, d):
        return torch.tensor(rng.normal(size=(n, d)), requires_grad=True)

    for n, more in ((4, 0), (1, 0), (3, 2)):
        yield "of_pairs", (some(n, 3), some(n + more, 3)), {}
        yield "contrasted", (some(n, 3), some(n + more, 3), 0.5), {}
        yield "by_letters", (some(n, 3), some(n + more, 3)), {}
        yield "of_columns", (some(3, n + more), some(3, n)), {}
        yield "quadratic", (rng.normal(size=(n, 2)), rng.normal(size=(2, 2))), {}
        yield "of_arrays", (rng.normal(size=(n, 2)), rng.normal(size=(2, n))), {}
