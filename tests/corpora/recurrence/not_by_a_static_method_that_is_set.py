# refuse: the file puts another function in the place of the method
import torch


class Cell:
    @staticmethod
    def mix(previous, now, gate):
        return gate * previous + now


def named(x, gate):
    h = torch.zeros_like(x[0])
    kept = []
    for i in range(len(x)):
        h = Cell.mix(h, x[i], gate[i])
        kept.append(h)
    return torch.stack(kept)


Cell.mix = lambda previous, now, gate: previous


def cases(rng):
    yield "named", (torch.randn(4, 3), torch.rand(4, 3)), {}
