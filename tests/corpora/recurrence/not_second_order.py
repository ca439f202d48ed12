# refuse: ASC101 the state reaches back two steps
import torch


def resonator(x, a1, a2):
    y = torch.zeros_like(x)
    y[0] = x[0]
    y[1] = x[1] + a1 * y[0]
    for n in range(2, x.shape[0]):
        y[n] = x[n] + a1 * y[n - 1] + a2 * y[n - 2]
    return y


def cases(rng):
    for n in (2, 3, 40):
        yield "resonator", (torch.tensor(rng.standard_normal((n, 2))), 1.2, -0.5), {}
