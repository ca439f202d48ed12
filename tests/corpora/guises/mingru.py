# expect: ASC101 safe scope=mingru
import torch
from torch import Tensor


def mingru(z: Tensor, ht: Tensor, h0: Tensor):
    out = []
    h = h0
    for zt, htt in zip(z.unbind(1), ht.unbind(1)):
        h = (1 - zt) * h + zt * htt
        out.append(h)
    return torch.stack(out, dim=1)


def cases(rng):
    def G(*s):
        return torch.tensor(rng.standard_normal(s), dtype=torch.float32, requires_grad=True)

    def U(*s):
        return torch.tensor(rng.random(s), dtype=torch.float32)

    yield "mingru", (U(2, 9, 3), G(2, 9, 3), G(2, 3)), {}
