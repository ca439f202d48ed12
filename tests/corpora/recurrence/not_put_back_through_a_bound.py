# refuse: what is put back is no affine map of what was there
import torch


def f(x, gate):
    y = x.clone()
    for t in range(1, x.shape[1]):
        y[:, t] = y[:, t] + gate[:, t] * torch.tanh(y[:, t - 1])
    return y


def cases(rng):
    yield "f", (torch.randn(3, 5), torch.rand(3, 5)), {}
