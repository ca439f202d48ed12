# expect: ASC101 safe scope=reset_if
import torch
from torch import Tensor


def reset_if(x: Tensor, done: Tensor, a: float):
    h = torch.zeros(x.shape[1])
    outs = []
    for t in range(x.shape[0]):
        if done[t]:
            h = torch.zeros(x.shape[1])
        h = a * h + x[t]
        outs.append(h)
    return torch.stack(outs)


def cases(rng):
    def G(*s):
        return torch.tensor(rng.standard_normal(s), dtype=torch.float32, requires_grad=True)

    yield "reset_if", (G(9, 2), torch.tensor(rng.random((9,))) > 0.5, 0.9), {}
    yield "reset_if", (G(9, 2), (torch.tensor(rng.random((9,))) > 0.5).float(), 0.9), {}
