# expect: ASC101 safe scope=small_list
import torch
from torch import Tensor


def small_list(x: Tensor, a: float):
    state = [torch.zeros_like(x[0])]
    outs = []
    for t in range(x.shape[0]):
        state[0] = a * state[0] + x[t]
        outs.append(state[0])
    return torch.stack(outs)


def cases(rng):
    def G(*s):
        return torch.tensor(rng.standard_normal(s), dtype=torch.float32, requires_grad=True)

    yield "small_list", (G(9, 3), 0.9), {}
    yield "small_list", (G(1, 3), 0.9), {}
