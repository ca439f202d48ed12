# expect: ASC105 safe scope=running
# expect: ASC105 safe scope=running_numpy
# expect: ASC105 safe scope=running_single
# expect: ASC105 safe scope=running_scalar
# expect: ASC105 safe scope=running_last
# expect: ASC106 safe scope=total
# expect: ASC106 safe scope=total_numpy
# expect: ASC106 safe scope=total_scalar
# expect: ASC106 safe scope=total_single
# expect: ASC106 safe scope=product
import numpy as np
import torch


def running(x: torch.Tensor):
    n, d = x.shape
    h = torch.zeros(d, dtype=torch.float64)
    out = []
    for t in range(n):
        h = h + x[t] * x[t]
        out.append(h)
    return torch.stack(out)


def running_single(x: torch.Tensor):
    n, d = x.shape
    h = torch.zeros(d, dtype=torch.float32)
    out = []
    for t in range(n):
        h = h + x[t]
        out.append(h)
    return torch.stack(out)


def running_last(x: torch.Tensor):
    n, d = x.shape
    h = torch.zeros(d).double()
    y = torch.zeros(n, d, dtype=torch.float64)
    for t in range(n):
        h = h + torch.tanh(x[t])
        y[t] = h
    return y, h


def running_numpy(x: np.ndarray):
    h = np.zeros(4)
    out = []
    for row in x:
        h = h + row
        out.append(h)
    return np.stack(out)


def running_scalar(x: np.ndarray):
    s = np.float64(0)
    out = []
    for v in x:
        s = s + v
        out.append(s)
    return np.array(out)


def total(x: torch.Tensor):
    n, d = x.shape
    s = torch.zeros(d, dtype=torch.float64)
    for t in range(n):
        s = s + x[t]
    return s


def total_single(x: torch.Tensor):
    n, d = x.shape
    s = torch.zeros(d, dtype=torch.float32)
    for t in range(n):
        s = s + x[t] * x[t]
    return s


def total_numpy(x: np.ndarray):
    s = np.zeros(4)
    for row in x:
        s = s + row
    return s


def total_scalar(x: np.ndarray):
    s = np.float64(0)
    for i in range(len(x)):
        s = s + x[i]
    return s


def product(x: torch.Tensor):
    n, d = x.shape
    p = torch.ones(d, dtype=torch.float64)
    for t in range(n):
        p = p * x[t]
    return p


def cases(rng):
    for dtype in (torch.float16, torch.float32, torch.float64):
        for rows in (1, 3, 400):
            x = torch.tensor(rng.uniform(0.9, 1.1, (rows, 4)) * 8).to(dtype)
            for name in ("running", "running_last", "running_single", "total", "total_single"):
                yield name, (x,), {}
            yield "product", (x / 8,), {}
            for name in ("running_numpy", "total_numpy"):
                yield name, (x.numpy().copy(),), {}
            for name in ("running_scalar", "total_scalar"):
                yield name, (x[:, 0].numpy().copy(),), {}
