# expect: ASC101 safe scope=gen_name
import torch
from torch import Tensor


def gen_name(x: Tensor, a: float):
    h = torch.ones_like(x[0])

    def run(x):
        h = torch.zeros_like(x[0])
        for v in x:
            h = a * h + v
            yield h

    ys = torch.stack(list(run(2 * x)))
    return ys, h, x


def cases(rng):
    def G(*s):
        return torch.tensor(rng.standard_normal(s), dtype=torch.float32, requires_grad=True)

    yield "gen_name", (G(7, 3), 0.5), {}
