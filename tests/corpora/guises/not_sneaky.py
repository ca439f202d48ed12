# refuse: the attribute is a property that counts
import torch


class Sneaky:
    def __init__(self):
        self.n = 0

    @property
    def h(self):
        return self._h

    @h.setter
    def h(self, v):
        self.n += 1
        self._h = v

    def run(self, x: torch.Tensor):
        self.h = torch.zeros_like(x[0])
        out = []
        for t in range(x.shape[0]):
            self.h = 0.5 * self.h + x[t]
            out.append(self.h)
        return torch.stack(out)


def sneaky(x):
    s = Sneaky()
    y = s.run(x)
    return y, s.n


def cases(rng):
    def R(*s):
        return torch.tensor(rng.standard_normal(s), dtype=torch.float32)

    yield "sneaky", (R(7, 3),), {}
