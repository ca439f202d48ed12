# expect: LOC306 safe scope=turned
# expect: LOC306 safe scope=returned
# expect: LOC306 safe scope=named
# expect: LOC302 safe scope=differences
import numpy as np
import torch


def turned(x: torch.Tensor):
    return torch.stack([torch.relu(row) for row in x], dim=1).view(-1)


def returned(x: torch.Tensor):
    return torch.stack([torch.cos(row) for row in x], dim=1)


def flattened(x):
    return returned(x).view(-1)


def named(x: torch.Tensor):
    rows = []
    for row in x:
        rows.append(torch.cos(row) * 2)
    return torch.stack(rows).view(-1)


def differences(x: np.ndarray):
    steps = np.array([x[i + 1] - x[i] for i in range(len(x) - 1)])
    steps.ravel()[0] = 7
    return steps


def cases(rng):
    def T(*s):
        return torch.from_numpy(rng.standard_normal(s)).float().requires_grad_()

    for name in ("turned", "flattened", "named"):
        yield name, (T(4, 3),), {}
        yield name, (T(3, 4).T,), {}
    yield "differences", (rng.random((3, 2)),), {}
    yield "differences", (rng.random((2, 3)).T,), {}
