# refuse: a class that derives from it does more where an attribute is set
import torch


class Decay:
    def run(self, a: torch.Tensor, b: torch.Tensor):
        """a, b: (T, D)."""
        steps, size = b.shape
        self.h = torch.zeros(size)
        for t in range(steps):
            self.h = a[t] * self.h + b[t]
        return self.h


class Watched(Decay):
    log = []

    def __setattr__(self, name, value):
        self.log.append(name)
        self.__dict__[name] = value


def watched(a, b):
    states = Watched()
    states.log.clear()
    return states.run(a, b), states.log


def cases(rng):
    yield "watched", (torch.rand(4, 3), torch.rand(4, 3)), {}
