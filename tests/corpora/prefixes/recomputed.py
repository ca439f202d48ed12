# expect: ASC105 safe scope=tallest_so_far
# expect: ASC105 safe scope=totals
# expect: ASC105 safe scope=averages
# expect: ASC105 safe scope=returns_to_go
# expect: ASC105 safe scope=soft_maxima
# expect: ASC105 safe scope=columns
# expect: ASC105 any scope=peaks
# expect: ASC105 safe scope=of_rows
import numpy as np
import torch


def tallest_so_far(heights: np.ndarray):
    rows, columns = heights.shape
    out = np.zeros((rows, columns))
    for i in range(rows):
        out[i] = heights[: i + 1].max(axis=0)
    return out


def totals(x: torch.Tensor):
    n = x.size(-1)
    out = torch.zeros_like(x)
    for i in range(n):
        out[..., i] = x[..., : i + 1].sum(-1)
    return out


def averages(x: torch.Tensor):
    n, d = x.shape
    return torch.stack([x[: i + 1].mean(0) for i in range(n)])


def returns_to_go(rewards: list[float]):
    return [sum(rewards[t:]) for t in range(len(rewards))]


def soft_maxima(x):
    n, d = x.shape
    out = []
    for t in range(n):
        out.append(torch.logsumexp(x[: t + 1], 0))
    return torch.stack(out)


def columns(x: torch.Tensor):
    n, d = x.shape
    return torch.stack([x[:, j:].prod(1) for j in range(d)], dim=1)


def peaks(x: np.ndarray):
    return np.array([x[: i + 1].max() for i in range(len(x))])


def of_rows(x: np.ndarray):
    return np.array([sum(x[: i + 1]) for i in range(len(x))])


def cases(rng):
    yield "of_rows", (rng.standard_normal(5),), {}
    yield "of_rows", (rng.standard_normal((4, 2, 3)),), {}
    heights = rng.standard_normal((7, 3))
    yield "tallest_so_far", (heights,), {}
    yield "tallest_so_far", (heights[:1].astype(np.float32),), {}
    yield "totals", (torch.randn(2, 3, 5, requires_grad=True),), {}
    yield "totals", (torch.randn(5, 2, dtype=torch.float64).T,), {}
    yield "averages", (torch.randn(6, 3, requires_grad=True),), {}
    yield "averages", (torch.randn(1, 3),), {}
    yield "returns_to_go", ([1.0, -2.0, 0.5, 4.0],), {}
    yield "returns_to_go", ([],), {}
    yield "soft_maxima", (torch.randn(5, 2, requires_grad=True),), {}
    yield "columns", (torch.randn(3, 5, requires_grad=True),), {}
    yield "columns", (torch.randn(3, 1),), {}
    yield "peaks", (rng.standard_normal(6),), {}
