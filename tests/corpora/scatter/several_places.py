# expect: SPA406 safe scope=degrees
# expect: SPA406 safe scope=laplacian
# expect: SPA406 safe scope=divergence
"""Steps that add to several cells of one array, each of which they look up."""

import numpy as np
import torch


def degrees(edges: np.ndarray):
    degree = np.zeros(5)
    for u, v in edges:
        degree[u] += 1
        degree[v] += 1
    return degree


def laplacian(edges: np.ndarray, w: np.ndarray):
    out = np.zeros((5, 5))
    for k in range(len(edges)):
        u, v = edges[k, 0], edges[k, 1]
        out[u, v] -= w[k]
        out[v, u] -= w[k]
        out[u, u] += w[k]
        out[v, v] += w[k]
    return out


def divergence(source: torch.Tensor, target: torch.Tensor, flow: torch.Tensor):
    out = torch.zeros(5, dtype=flow.dtype)
    for k in range(source.shape[0]):
        out[source[k]] -= flow[k]
        out[target[k]] += flow[k]
    return out


def cases(rng):
    for n in (0, 1, 12):
        edges = rng.integers(0, 5, (n, 2))
        yield "degrees", (edges,), {}
        yield "laplacian", (edges, rng.standard_normal(n)), {}
        ends = torch.from_numpy(edges).T
        flow = torch.from_numpy(rng.standard_normal(n)).requires_grad_(n > 0)
        yield "divergence", (ends[0], ends[1], flow), {}
