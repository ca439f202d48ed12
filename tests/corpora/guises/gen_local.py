# expect: ASC101 safe scope=gen_local
import torch
from torch import Tensor


def gen_local(x: Tensor, decay: float):
    def run():
        h = torch.zeros_like(x[0])
        for t in range(x.shape[0]):
            h = decay * h + x[t]
            yield h

    return torch.stack(list(run()))


def cases(rng):
    def G(*s):
        return torch.tensor(rng.standard_normal(s), dtype=torch.float32, requires_grad=True)

    yield "gen_local", (G(7, 3), 0.9), {}
    yield "gen_local", (G(1, 3), 0.9), {}
