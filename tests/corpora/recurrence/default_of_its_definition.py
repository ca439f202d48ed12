# expect: ASC101 safe scope=smooth
import torch


def smooth(x: torch.Tensor):
    a = 0.5

    def step(h, v, b=a):
        return b * h + v

    a = 0.7
    h = torch.zeros(3)
    for t in range(x.shape[0]):
        h = step(h, x[t])
    return a * h


def cases(rng):
    yield "smooth", (torch.tensor(rng.standard_normal((5, 3))).float(),), {}
