# may: SPA406 safe|advice scope=prune
# may: SPA406 safe|advice scope=doubled
# may: SPA406 safe|advice scope=set_to
import numpy as np
import torch


def prune(counts: torch.Tensor, kept: torch.Tensor):
    for i in range(counts.shape[0]):
        counts[i, kept[i]] += 1
    return counts


def doubled(counts: np.ndarray, kept: np.ndarray):
    for i in range(len(counts)):
        counts[i, kept[i]] *= 2
    return counts


def set_to(counts: np.ndarray, kept: np.ndarray, v: np.ndarray):
    for i in range(len(counts)):
        counts[i, kept[i]] = v[i]
    return counts


def cases(rng):
    for rows in (1, 4):
        counts, kept = rng.standard_normal((rows, 3)), rng.integers(0, 3, rows)
        yield "prune", (torch.tensor(counts), torch.tensor(kept)), {}
        yield "doubled", (counts, kept), {}
        yield "set_to", (counts, kept, rng.standard_normal(rows)), {}
