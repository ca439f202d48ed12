# refuse: the generator stops on the state
import torch
from torch import Tensor


def gen_stop(x: Tensor, a: float):
    def run():
        h = torch.zeros_like(x[0])
        for t in range(len(x)):
            h = a * h + x[t]
            if h.sum() > 3:
                return
            yield h

    out = list(run())
    return len(out), out


def cases(rng):
    def U(*s):
        return torch.tensor(rng.random(s), dtype=torch.float32)

    yield "gen_stop", (U(7, 3), 0.5), {}
