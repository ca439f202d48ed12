# refuse: LOC306 a list that not every step fills once, that others read, or of what is not computed
"""Lists that are made arrays, of which something else is needed than that array."""

import numpy as np
import torch


def sometimes(x: torch.Tensor):
    (n,) = x.shape
    rows = []
    for i in range(n):
        if x[i] > 0:
            rows.append(x[i] * 2)
    return torch.stack(rows)


def twice(x: torch.Tensor):
    (n,) = x.shape
    rows = []
    for i in range(n):
        rows.append(x[i] * 2)
        rows.append(x[i] * 3)
    return torch.stack(rows)


def begun(x: torch.Tensor):
    (n,) = x.shape
    rows = [x[0] * 5]
    for i in range(n):
        rows.append(x[i] * 2)
    return torch.stack(rows)


def read(x: torch.Tensor):
    (n,) = x.shape
    rows = []
    for i in range(n):
        rows.append(x[i] * 2)
    rows[0] = rows[-1]
    return torch.stack(rows)


def counted(x: torch.Tensor):
    (n,) = x.shape
    rows = []
    for i in range(n):
        rows.append(x[i] * 2)
    return torch.stack(rows), len(rows)


def carried(x: torch.Tensor):
    (n,) = x.shape
    total = torch.zeros(())
    rows = []
    for i in range(n):
        total = total + x[i]
        rows.append(total * 2)
    return torch.stack(rows)


def changed(x: torch.Tensor):
    (n,) = x.shape
    rows = []
    for i in range(n):
        x[i] = x[i - 1] + 1
        rows.append(x[i] * 2)
    return torch.stack(rows)


def numbers(x: torch.Tensor):
    (n,) = x.shape
    return np.array([x[i].item() * 2 for i in range(n)])


def ragged(a: np.ndarray):
    (n,) = a.shape
    rows = []
    for i in range(n):
        for j in range(i):
            rows.append(a[i] * a[j])
    return np.array(rows)


def picked(x: torch.Tensor):
    (n, d) = x.shape
    rows = [x[i] + 0 for i in range(n)]
    return torch.stack(rows)


def typed(a: np.ndarray):
    (n,) = a.shape
    return np.array([a[i] * 2 for i in range(n)], dtype=np.float32)


def of_some(a: np.ndarray):
    (n,) = a.shape
    return np.array([a[i] * 2 for i in range(n) if i != 1])


def flat(a: np.ndarray):
    (n,) = a.shape
    return np.array([a[i] * a[j] for i in range(n) for j in range(n)])


def of_two_kinds(a: np.ndarray):
    (n,) = a.shape
    return np.array([max(a[i], 0) for i in range(n)])


def doubled(rows):
    rows.append(rows[0])


def handed_on(x: torch.Tensor):
    (n,) = x.shape
    rows = []
    for i in range(n):
        rows.append(x[i] * 2)
    doubled(rows)
    return torch.stack(rows)


def of_any(xs, f):
    return torch.stack([f(x) * 2 for x in xs])


def constant(x: torch.Tensor, w: torch.Tensor):
    assert w.ndim == 1
    n = len(x)
    return torch.stack([w * 2 for i in range(n)])


def filled(x: torch.Tensor):
    (n,) = x.shape
    rows = []
    for i in range(n):
        rows.append(x[i] * 2)
    for i in range(n):
        rows.append(x[i] * 3)
    return torch.stack(rows)


def names(x: torch.Tensor):
    (n,) = x.shape
    rows = []
    for i in range(n):
        rows.append(x[i] * 2)
    return torch.stack(rows), i


def cases(rng):
    def tensor(*shape):
        return torch.from_numpy(rng.standard_normal(shape))

    for name in ("sometimes", "twice", "begun", "read", "counted", "carried", "changed"):
        yield name, (tensor(5).abs(),), {}
    for name in ("numbers", "filled", "names"):
        yield name, (tensor(5),), {}
    for name in ("ragged", "typed", "of_some", "flat"):
        yield name, (rng.standard_normal(4),), {}
    yield "of_two_kinds", (-rng.random(3),), {}
    yield "picked", (tensor(3, 2),), {}
    yield "handed_on", (tensor(4),), {}
    yield "of_any", (list(tensor(4, 2)), torch.tanh), {}
    yield "constant", (tensor(3), tensor(2)), {}
