# expect: LOC306 safe scope=normalised
# expect: LOC306 unsafe scope=listed
# expect: LOC306 safe scope=labels
# expect: LOC306 unsafe scope=least_of_rows
# expect: LOC306 safe scope=largest
# expect: LOC301 safe scope=chosen
# expect: LOC306 safe scope=lengths
import numpy as np
import torch


def normalised(batch: np.ndarray):
    n, d = batch.shape
    out = np.zeros((n, d))
    for i in range(n):
        out[i] = (batch[i] - batch[i].mean()) / batch[i].std()
    return out


def listed(batch):
    out = []
    for row in batch:
        out.append((row - row.mean()) / (row.std() + 1e-6))
    return torch.stack(out)


def labels(dist: torch.Tensor):
    n, m = dist.shape
    out = torch.zeros(n, dtype=torch.long)
    for i in range(n):
        out[i] = torch.argmin(dist[i])
    return out


def least_of_rows(dist):
    return np.array([np.argmin(row) for row in dist])


def largest(dist: np.ndarray):
    n, m = dist.shape
    out = np.zeros(n, dtype=int)
    for i in range(n):
        out[i] = np.argmax(dist[i])
    return out


def chosen(x: np.ndarray, w: np.ndarray):
    n, d = x.shape
    d, k = w.shape
    out = np.zeros(n, dtype=int)
    for i in range(n):
        out[i] = np.argmax(x[i] @ w)
    return out


def lengths(x: np.ndarray, c: np.ndarray):
    n, d = x.shape
    k, d = c.shape
    out = np.zeros((n, k))
    for i in range(n):
        out[i] = np.linalg.norm(c, axis=1) * x[i].var()
    return out


def cases(rng):
    for shape in ((4, 5), (1, 2)):
        for name in ("normalised", "least_of_rows", "largest"):
            yield name, (rng.normal(size=shape),), {}
        for name in ("listed", "labels"):
            yield name, (torch.tensor(rng.normal(size=shape), requires_grad=True),), {}
        yield "chosen", (rng.normal(size=shape), rng.normal(size=(shape[1], 3))), {}
        yield "lengths", (rng.normal(size=shape), rng.normal(size=(3, shape[1]))), {}
