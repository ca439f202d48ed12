# refuse: something puts another function in the method's place
from operator import sub

import torch


class Set:
    def use(self, step):
        self.step = step
        return self

    def step(self, h, z):
        return 0.5 * h + z

    def run(self, x: torch.Tensor):
        h = torch.zeros(3)
        out = []
        for t in range(x.shape[0]):
            h = self.step(h, x[t])
            out.append(h)
        return torch.stack(out)


class Handed:
    def move(self, h, z):
        return 0.5 * h + z

    def run(self, x: torch.Tensor):
        h = torch.zeros(3)
        out = []
        for t in range(x.shape[0]):
            h = self.move(h, x[t])
            out.append(h)
        return torch.stack(out)


def handed():
    found = Handed()
    setattr(found, "move", sub)
    return found


class Assigned:
    def go(self, h, z):
        return 0.5 * h + z

    def run(self, x: torch.Tensor):
        h = torch.zeros(3)
        out = []
        for t in range(x.shape[0]):
            h = self.go(h, x[t])
            out.append(h)
        return torch.stack(out)


def assigned():
    found = Assigned()
    found.go = sub
    return found


def cases(rng):
    for n in (1, 5):
        x = torch.tensor(rng.standard_normal((n, 3))).float()
        yield "Set().use(sub).run", (x,), {}
        yield "handed().run", (x,), {}
        yield "assigned().run", (x,), {}
