# expect: ASC101 safe scope=gen_loop
import torch
from torch import Tensor


def _states(x, decay):
    h = torch.zeros_like(x[0])
    for v in x:
        h = decay * h + v
        yield h


def gen_loop(x: Tensor, decay: float):
    outs = []
    for h in _states(x, decay):
        outs.append(torch.relu(h))
    return torch.stack(outs)


def cases(rng):
    def G(*s):
        return torch.tensor(rng.standard_normal(s), dtype=torch.float32, requires_grad=True)

    yield "gen_loop", (G(7, 3), 0.9), {}
