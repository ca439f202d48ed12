# may: ASC101 safe|advice scope=trailing_average
import torch


def trailing_average(x, decay):
    s = torch.zeros_like(x[0])
    for t in range(x.shape[0]):
        s = decay * s + (1 - decay) * x[t]
    # t is still alive here: the weight that the zero start took away
    return s / (1 - decay ** (t + 1))


def cases(rng):
    for T in (1, 2, 38):
        x = torch.tensor(rng.standard_normal((T, 3)), dtype=torch.float32, requires_grad=True)
        yield "trailing_average", (x, 0.9), {}
