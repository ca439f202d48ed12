# expect: RED501 safe scope=Relaxation.run

import torch
from torch import nn


class Relaxation(nn.Module):
    def __init__(self, width):
        super().__init__()
        self.scale = nn.Parameter(torch.linspace(0.1, 0.5, width))
        self.mixing = nn.Parameter(torch.eye(width) + 0.1)

    def run(self, x):
        history = []
        for _ in range(3):
            weight = self.mixing
            x = x @ torch.exp(-weight @ weight.T) * self.scale
            history.append(x.mean())
        return torch.stack(history).sum()


def cases(rng):
    x = torch.from_numpy(rng.normal(size=(4, 3))).float().requires_grad_()
    yield "Relaxation(3).run", (x,), {}
