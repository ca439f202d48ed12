# expect: SPA406 safe scope=sums
# expect: SPA406 safe scope=counts
# expect: SPA406 safe scope=listed
# expect: SPA406 safe scope=stacked
# expect: SPA406 safe scope=means
# expect: SPA406 safe scope=means_of_some
# expect: SPA406 safe scope=both
# expect: SPA406 advice scope=Groups.totals
# expect: SPA406 unsafe scope=energies
import numpy as np
import torch


def sums(x: torch.Tensor, labels: torch.Tensor, k: int):
    out = torch.zeros(k, x.shape[1], dtype=x.dtype)
    for c in range(k):
        mask = labels == c
        out[c] = x[mask].sum(0)
    return out


def counts(y: torch.Tensor, k: int):
    n = torch.zeros(k, dtype=torch.long)
    for c in range(k):
        n[c] = (y == c).sum().item()
    return n


def listed(labels: np.ndarray, n: int):
    return np.array([np.sum(labels == i) for i in range(n)])


def stacked(labels: torch.Tensor):
    return torch.stack([(labels == i).sum() for i in range(3)])


def means(values: np.ndarray, group: np.ndarray, n: int):
    out = np.zeros((n, values.shape[-1]))
    for g in range(n):
        out[g] = values[group == g].mean(axis=0)
    return out


def means_of_some(x: torch.Tensor, y: torch.Tensor, k: int):
    out = torch.zeros(k, x.shape[1])
    for c in range(k):
        m = y == c
        if m.any():
            out[c] = x[m].mean(dim=0)
    return out


def both(x: np.ndarray, y: np.ndarray, k: int):
    total = np.zeros((k, x.shape[1]))
    size = np.zeros(k, dtype=int)
    for c in range(k):
        rows = x[y == c]
        total[c] = rows.sum(axis=0)
        size[c] = len(rows)
    return total, size


class Groups:
    def __init__(self, x: torch.Tensor, y: torch.Tensor):
        self.x, self.y = x, y

    def totals(self, k: int):
        out = torch.zeros(k, self.x.shape[1], dtype=self.x.dtype)
        for c in range(k):
            out[c] = torch.sum(self.x[self.y == c], dim=0)
        return out


def energies(energy: np.ndarray, bins: np.ndarray, n: int):
    out = np.zeros(n)
    for b in range(n):
        out[b] = energy[bins == b].sum()
    return out


def cases(rng):
    groups = (
        np.array([0, 2, 1, 1, 0]),
        np.array([7, 2, -1, 1, 0]),
        np.array([0.0, 2.0, 0.5, 1, 1]),
    )
    for y in (*groups, groups[0].astype(np.uint8), groups[0].astype(np.int32)):
        x, labels = rng.normal(size=(5, 2)), torch.tensor(y)
        leaf = torch.tensor(x, requires_grad=True)
        yield "sums", (leaf, labels, 3), {}
        yield "counts", (labels, 3), {}
        yield "listed", (y, 3), {}
        yield "stacked", (labels,), {}
        yield "means_of_some", (leaf, labels, 4), {}
        yield "both", (x, y, 3), {}
        yield "Groups(torch.ones(5, 2), torch.tensor([0, 1, 9, 1, 2])).totals", (3,), {}
        yield "energies", (x[:, 0], y, 4), {}
    yield "means", (x, groups[0], 3), {}
    yield "means", (rng.normal(size=(2, 5, 3)), np.stack([groups[0], groups[0][::-1]]), 3), {}
