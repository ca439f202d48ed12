# expect: SPA406 advice scope=means
# expect: SPA406 advice scope=prototypes
# expect: SPA406 advice scope=listed
# expect: SPA406 advice scope=totals
import numpy as np
import torch


def means(values: np.ndarray, groups: np.ndarray):
    keys = np.unique(groups)
    out = np.zeros(len(keys))
    for i, key in enumerate(keys):
        out[i] = values[groups == key].mean()
    return keys, out


def prototypes(x, y):
    return torch.stack([x[y == label].mean(0) for label in torch.unique(y)])


def listed(x, y):
    rows = []
    for label in y.unique():
        rows.append(x[y == label].mean(dim=0))
    return torch.stack(rows)


def totals(values, groups):
    out = {}
    for key in sorted(set(groups.tolist())):
        out[key] = float(values[groups == key].sum())
    return out


def cases(rng):
    for n in (1, 2, 41):
        yield "means", (rng.standard_normal(n), rng.integers(0, 5, n)), {}
        yield "totals", (rng.standard_normal(n), rng.integers(0, 5, n)), {}
        y = torch.tensor(rng.integers(0, 5, n))
        yield "prototypes", (torch.tensor(rng.standard_normal((n, 3))), y), {}
        yield "listed", (torch.tensor(rng.standard_normal((n, 3))), y), {}
