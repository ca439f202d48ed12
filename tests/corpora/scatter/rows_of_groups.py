# expect: SPA406 advice scope=update
# expect: SPA406 advice scope=update2
# expect: SPA406 advice scope=counts
# expect: SPA406 advice scope=masks
# expect: SPA406 advice scope=named
import numpy as np
import torch


def update(X, labels, k):
    centroids = np.zeros((k, X.shape[1]))
    for j in range(k):
        centroids[j] = X[labels == j].mean(axis=0)
    return centroids


def update2(X, labels, k):
    return np.array([X[labels == j].mean(axis=0) for j in range(k)])


def counts(labels, k):
    return torch.stack([(labels == j).sum() for j in range(k)])


def masks(X, labels, k):
    out = torch.zeros(k, X.shape[1])
    for c in range(k):
        mask = labels == c
        if mask.sum() > 0:
            out[c] = X[mask].mean(dim=0)
    return out


def named(X, y, k):
    means = []
    for c in range(k):
        rows = X[y == c]
        means.append(rows.mean(axis=0))
    return np.stack(means)


def cases(rng):
    groups = np.array([0, 2, 1, 1, 0])
    for name in ("update", "update2", "named"):
        yield name, (rng.normal(size=(5, 2)), groups, 3), {}
    yield "counts", (torch.tensor(groups), 3), {}
    yield "masks", (torch.tensor(rng.normal(size=(5, 2))), torch.tensor(groups), 3), {}
