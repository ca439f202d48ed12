# refuse: the factor is a property that counts how often it is read
import torch


class Meter:
    def __init__(self):
        self.n = 0

    @property
    def scale(self):
        self.n += 1
        return 0.1 * self.n


def smooth(meter, x):
    h = torch.zeros(3)
    kept = []
    for t in range(x.shape[0]):
        h = meter.scale * h + x[t]
        kept.append(h)
    return torch.stack(kept)


def cases(rng):
    yield "lambda x: smooth(Meter(), x)", (torch.tensor(rng.standard_normal((5, 3))),), {}
