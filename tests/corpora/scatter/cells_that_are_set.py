# expect: SPA406 safe scope=one_hot
# expect: SPA406 safe scope=adjacency
# expect: SPA406 safe scope=weighted
# expect: SPA406 safe scope=rows
# expect: SPA406 safe scope=last_of_both
import numpy as np
import torch


def one_hot(y: np.ndarray, k: int):
    hot = np.zeros((len(y), k))
    for i, c in enumerate(y):
        hot[i, c] = 1
    return hot


def adjacency(edges: np.ndarray, n: int):
    table = np.zeros((n, n))
    for u, v in edges:
        table[u, v] = 1
        table[v, u] = 1
    return table


def weighted(y: torch.Tensor, w: torch.Tensor, k: int):
    n = y.shape[0]
    out = torch.zeros(n, k)
    for b in range(n):
        out[b, y[b]] = w[b] * 2
    return out


def rows(y: np.ndarray, k: int):
    seen = np.zeros((k, 3), dtype=np.int32)
    for v in y:
        seen[v, :] = 5
    return seen


def last_of_both(y: torch.Tensor, k: int):
    n = y.shape[0]
    out = torch.zeros(n, k)
    for b in range(n):
        out[b, y[b]] += 1
        out[b, y[b]] = 3
    return out


def cases(rng):
    for n in (1, 6):
        y = rng.integers(-4, 4, n)
        yield "one_hot", (y, 4), {}
        yield "adjacency", (rng.integers(0, 4, (n, 2)), 4), {}
        w = torch.tensor(rng.normal(size=n), requires_grad=True)
        yield "weighted", (torch.tensor(y), w, 4), {}
        yield "rows", (y, 4), {}
        yield "last_of_both", (torch.tensor(y), 4), {}
