# refuse: y[t + 1] is still zero when it is read: this is no recurrence
import torch


def lookahead(x, a):
    y = torch.zeros(x.shape[0] + 1, *x.shape[1:], dtype=x.dtype)
    for t in range(x.shape[0]):
        y[t] = a * y[t + 1] + x[t]
    return y[:-1]


def cases(rng):
    yield "lookahead", (torch.tensor(rng.standard_normal((9, 2)), dtype=torch.float32), 0.8), {}
