# expect: SEP207 advice scope=summed
# expect: SEP207 advice scope=contracted
# expect: SEP207 advice scope=sketched
# expect: SEP207 advice scope=shared
import numpy as np
import torch


def summed(table, kept: int):
    left, strengths, right = np.linalg.svd(table, full_matrices=False)
    terms = (strengths[k] * np.outer(left[:, k], right[k]) for k in range(kept))
    return sum(terms)


def contracted(kernel):
    u, s, v = torch.svd(kernel)
    low = torch.einsum("ik,k,jk->ij", u[:, :3], s[:3], v[:, :3])
    return low


def sketched(kernel, x):
    u, s, v = torch.svd_lowrank(kernel, q=3)
    return ((u * s) @ v.T).matmul(x)


def shared(table, x):
    size = min(table.shape) // 2
    u, s, vh = np.linalg.svd(table)
    u, vh = u[:, :size], vh[:size]
    smooth = (u * s[:size]).dot(vh)
    return smooth @ x


def cases(rng):
    yield "summed", (rng.standard_normal((5, 6)), 2), {}
    yield "contracted", (torch.tensor(rng.standard_normal((6, 5))),), {}
    kernel = torch.tensor(rng.standard_normal((6, 5)))
    yield "sketched", (kernel, torch.tensor(rng.standard_normal((5, 2)))), {}
    yield "shared", (rng.standard_normal((6, 4)), rng.standard_normal(4)), {}
