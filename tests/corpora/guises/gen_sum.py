# expect: ASC101 safe scope=gen_sum
import torch
from torch import Tensor


def _states(x, decay):
    h = torch.zeros_like(x[0])
    for v in x:
        h = decay * h + v
        yield h


def gen_sum(x: Tensor, decay: float):
    return sum(_states(x, decay))


def cases(rng):
    def G(*s):
        return torch.tensor(rng.standard_normal(s), dtype=torch.float32, requires_grad=True)

    yield "gen_sum", (G(7, 3), 0.9), {}
