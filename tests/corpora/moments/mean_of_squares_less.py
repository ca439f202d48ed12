# expect: ASC108 safe scope=energy_spread
import torch


def energy_spread(x: torch.Tensor):
    return (x * x).mean(-1) - x.mean(-1) ** 2


def cases(rng):
    for shape in ((5, 3), (1, 3), (4,)):
        yield "energy_spread", (torch.tensor(rng.normal(size=shape) + 3, requires_grad=True),), {}
