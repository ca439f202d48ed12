# expect: ASC101 safe scope=along_the_second
# expect: ASC101 safe scope=backward
# expect: ASC101 safe scope=along_the_first
# expect: ASC101 safe scope=over_its_own_rows
# expect: ASC101 safe scope=beside_a_matrix
import torch


def along_the_second(x, gate):
    y = x.clone()
    for t in range(1, x.shape[1]):
        y[:, t] = y[:, t] + gate[:, t] * y[:, t - 1]
    return y


def backward(x, gate):
    y = torch.empty_like(x)
    n = x.shape[1]
    y[:, n - 1] = x[:, n - 1]
    for i in reversed(range(n - 1)):
        y[:, i] = gate[:, i] * y[:, i + 1] + (1 - gate[:, i]) * x[:, i]
    return y


def along_the_first(x, gate):
    y = torch.zeros_like(x)
    y[0] = x[0]
    for t in range(1, x.shape[0]):
        y[t] = x[t] + gate[t] * y[t - 1]
    return y


def over_its_own_rows(x, gate):
    y = x.clone()
    for t in range(1, x.shape[0]):
        y[t] = y[t] + gate[t] * y[t - 1]
    return y


def beside_a_matrix(x, gate):
    steps, width = x.shape
    y = x.clone()
    for t in range(1, steps):
        y[t] = y[t] + gate[t] * y[t - 1]
    return y


def cases(rng):
    for name in ("along_the_second", "backward", "along_the_first", "over_its_own_rows"):
        for sizes in ((5, 3), (1, 1), (2, 4), (4, 5, 2), (3, 1, 2)):
            yield name, (torch.randn(sizes), torch.rand(sizes)), {}
        yield name, (torch.randn(4, 5, 2, dtype=torch.float64), torch.rand(4, 5, 1)), {}
    for sizes in ((5, 3), (5, 1), (5,)):
        yield "beside_a_matrix", (torch.randn(5, 3), torch.rand(sizes)), {}
    yield "beside_a_matrix", (torch.randn(1, 2), torch.rand(1, 2)), {}
