# refuse: the consumer binds an argument again
import torch
from torch import Tensor


def gen_consumer_changes(x: Tensor, a: float):
    def run(x):
        h = torch.zeros_like(x[0])
        for t in range(3):
            h = a * h + x[t]
            yield h

    out = []
    for h in run(x):
        x = x + 1
        out.append(h)
    return torch.stack(out), x


def cases(rng):
    def R(*s):
        return torch.tensor(rng.standard_normal(s), dtype=torch.float32)

    yield "gen_consumer_changes", (R(7, 3), 0.5), {}
