# expect: ASC101 safe scope=smooth
# expect: ASC101 safe scope=faster
# expect: ASC101 safe scope=Leaky.run
"""Helpers and methods that are what they look like, read in place of their calls."""

import torch

decay = 0.5


def step(h, z):
    return decay * h + z


def step_by(h, z, rate=decay):
    return rate * h + z


def smooth(x: torch.Tensor):
    h = torch.zeros(3)
    out = []
    for t in range(x.shape[0]):
        h = step(h, x[t])
        out.append(h)
    return torch.stack(out)


def faster(x: torch.Tensor):
    h = torch.zeros(3)
    out = []
    for t in range(x.shape[0]):
        h = step_by(h, x[t])
        out.append(h)
    return torch.stack(out)


class Leaky:
    def step(self, h, z):
        return 0.5 * h + z

    def run(self, x: torch.Tensor):
        h = torch.zeros(3)
        out = []
        for t in range(x.shape[0]):
            h = self.step(h, x[t])
            out.append(h)
        return torch.stack(out)


class Unrelated:
    def step(self, h, z):
        return h - z


def cases(rng):
    for n in (1, 5):
        x = torch.tensor(rng.standard_normal((n, 3))).float().requires_grad_()
        yield "smooth", (x,), {}
        yield "faster", (x,), {}
        yield "Leaky().run", (x,), {}
