# expect: ASC101 safe scope=zero_phase
import torch


def zero_phase(x, a):
    """Filter along dim 0, then backwards, so that the delays cancel."""
    y = torch.zeros_like(x)
    s = x[0]
    for n in range(x.shape[0]):
        s = a * s + (1 - a) * x[n]
        y[n] = s
    z = torch.zeros_like(y)
    s = y[-1]
    for n in range(x.shape[0] - 1, -1, -1):
        s = a * s + (1 - a) * y[n]
        z[n] = s
    return z


def cases(rng):
    for n in (1, 2, 52):
        x = torch.tensor(rng.standard_normal((n, 3)), dtype=torch.float32, requires_grad=True)
        yield "zero_phase", (x, 0.85), {}
