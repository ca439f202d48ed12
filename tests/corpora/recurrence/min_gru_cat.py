# expect: ASC101 safe scope=MinGRU.forward
import torch
from torch import nn


class MinGRU(nn.Module):
    def __init__(self, dim):
        super().__init__()
        self.to_z = nn.Linear(dim, dim)
        self.to_h = nn.Linear(dim, dim)

    def forward(self, x, h0):
        z = torch.sigmoid(self.to_z(x))
        h_tilde = self.to_h(x)
        h = h0
        hs = []
        for t in range(x.shape[1]):
            h = (1 - z[:, t]) * h + z[:, t] * h_tilde[:, t]
            hs.append(h.unsqueeze(1))
        return torch.cat(hs, 1)


def draw(rng, *shape, grad=True, dtype=torch.float32):
    x = torch.tensor(rng.standard_normal(shape), dtype=dtype)
    return x.requires_grad_() if grad else x


def cases(rng):
    for n in (1, 7):
        yield "MinGRU(3)", (draw(rng, 2, n, 3), draw(rng, 2, 3)), {}
