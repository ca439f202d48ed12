# expect: ASC101 safe scope=walrus_zip
import torch
from torch import Tensor


def walrus_zip(x: Tensor, g: Tensor):
    h = torch.zeros_like(x[:, 0])
    ys = [(h := gt * h + (1 - gt) * xt) for xt, gt in zip(x.unbind(1), g.unbind(1))]
    return torch.stack(ys, dim=1), h


def cases(rng):
    def G(*s):
        return torch.tensor(rng.standard_normal(s), dtype=torch.float32, requires_grad=True)

    yield "walrus_zip", (G(2, 7, 3), G(2, 7, 3)), {}
    yield "walrus_zip", (G(2, 1, 3), G(2, 1, 3)), {}
