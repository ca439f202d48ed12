# expect: LOC301 unsafe scope=scores
# expect: LOC306 unsafe|safe scope=scaled
import numpy as np
import torch


def scores(features: torch.Tensor, queries: torch.Tensor):
    found = [torch.mv(rows, query) for rows, query in zip(features, queries)]
    found = torch.stack(found, dim=0)
    return found.softmax(dim=1)


def scaled(x: np.ndarray, y: np.ndarray):
    n, d = x.shape
    m, d = y.shape
    rows = []
    for i in range(n):
        rows.append(x[i] * 2 + y[0])
    rows = np.array(rows)
    return rows + 1


def cases(rng):
    yield "scores", (torch.randn(3, 4, 5, requires_grad=True), torch.randn(3, 5)), {}
    yield "scaled", (rng.normal(size=(4, 3)), rng.normal(size=(2, 3))), {}
