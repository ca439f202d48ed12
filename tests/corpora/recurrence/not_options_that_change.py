# refuse: the decay is set, or asked of what may be another at every step
from types import SimpleNamespace

import torch


def annealed(x: torch.Tensor, options):
    h, out = torch.zeros(x.shape[1]), []
    for t in range(x.shape[0]):
        h = options.decay * h + x[t]
        options.decay = 0.9 * options.decay
        out.append(h)
    return torch.stack(out)


def scheduled(x: torch.Tensor, options):
    h, out = torch.zeros(x.shape[1]), []
    for t in range(x.shape[0]):
        h = options.decay * h + x[t]
        options.step()
        out.append(h)
    return torch.stack(out)


def kept_elsewhere(x: torch.Tensor, options, scheduler):
    h, out = torch.zeros(x.shape[1]), []
    for t in range(x.shape[0]):
        h = options.decay * h + x[t]
        scheduler.step()
        out.append(h)
    return torch.stack(out)


class Scheduler(SimpleNamespace):
    def step(self):
        self.decay *= 0.5


def cases(rng):
    x = torch.tensor(rng.standard_normal((5, 3)), dtype=torch.float32)
    yield "annealed", (x, SimpleNamespace(decay=0.9)), {}
    yield "scheduled", (x, Scheduler(decay=0.9)), {}
    one = Scheduler(decay=0.9)
    yield "kept_elsewhere", (x, one, one), {}
