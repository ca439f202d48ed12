# expect: ASC101 unsafe scope=tuple_state
import torch
from torch import Tensor


def tuple_state(x: Tensor, a: Tensor, b: Tensor):
    state = (torch.zeros_like(x[0]), torch.zeros_like(x[0]))
    outs = []
    for t in range(x.shape[0]):
        m, v = state
        m = a * m + (1 - a) * x[t]
        v = b * v + (1 - b) * x[t] ** 2
        state = (m, v)
        outs.append(m / (v.sqrt() + 1e-8))
    return torch.stack(outs), state


def cases(rng):
    def G(*s):
        return torch.tensor(rng.standard_normal(s), dtype=torch.float32, requires_grad=True)

    def U(*s):
        return torch.tensor(rng.random(s), dtype=torch.float32)

    yield "tuple_state", (G(9, 3), U(3), U(3)), {}
    yield "tuple_state", (G(1, 3), U(3), U(3)), {}
