# expect: ASC101 safe scope=smooth
import torch


class Meter:
    def __init__(self):
        self.n = 4

    @property
    def scale(self):
        return 1.0 / self.n


def smooth(meter, x):
    h = torch.zeros(3)
    kept = []
    for t in range(x.shape[0]):
        h = meter.scale * h + x[t]
        kept.append(h)
    return torch.stack(kept)


def cases(rng):
    x = torch.tensor(rng.standard_normal((5, 3)), dtype=torch.float32)
    yield "lambda x: smooth(Meter(), x)", (x,), {}
