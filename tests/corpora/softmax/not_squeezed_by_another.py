# refuse: ASC107 what squeezes may do more than that
import torch

SEEN = []


class Counting:
    def __init__(self, held):
        self.held = held

    def squeeze(self, dim):
        SEEN.append(dim)
        return self.held.squeeze(dim)


def log_mean(x, counting: Counting, dim: int):
    m = x.max(dim, keepdim=True).values
    return counting.squeeze(dim) + (x - m).exp().mean(dim).log() + len(SEEN)


def cases(rng):
    for shape in ((3, 5), (1, 2)):
        x = torch.tensor(rng.standard_normal(shape))
        yield "lambda x: log_mean(x, Counting(x.amax(0, True)), 0)", (x,), {}
