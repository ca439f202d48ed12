# expect: ASC105 safe scope=Model.forward
import torch
from torch import nn


class Model(nn.Module):
    def forward(self, x, mask):
        kept = torch.zeros_like(x)
        total = torch.zeros_like(x[:, 0])
        for t in range(x.size(1)):
            total = torch.where(mask[:, t], total + x[:, t], total)
            kept[:, t] = total
        return kept


def get_inputs():
    x = torch.rand(4, 6)
    return [x, torch.randint(0, 2, x.shape).bool()]


def cases(rng):
    for rows, steps in ((3, 7), (1, 1)):
        x = torch.tensor(rng.normal(size=(rows, steps)), requires_grad=True)
        yield "Model()", (x, torch.tensor(rng.random((rows, steps)) < 0.5)), {}
