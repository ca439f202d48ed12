# expect: ASC101 safe scope=Ema.run
import torch


class Ema:
    def __init__(self, decay):
        self.decay = decay

    def run(self, x: torch.Tensor):
        self.h = torch.zeros_like(x[0])
        out = []
        for t in range(x.shape[0]):
            self.h = self.decay * self.h + x[t]
            out.append(self.h)
        return torch.stack(out)


def ema_obj(x):
    e = Ema(0.9)
    y = e.run(x)
    return y, e.h


def cases(rng):
    def G(*s):
        return torch.tensor(rng.standard_normal(s), dtype=torch.float32, requires_grad=True)

    yield "ema_obj", (G(9, 3),), {}
