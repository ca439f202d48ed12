# expect: ASC101 safe scope=OnePole.forward
import torch
import torch.nn as nn


class OnePole(nn.Module):
    def __init__(self, b1: float):
        super().__init__()
        self.b1 = b1
        self.a0 = 1 - self.b1

    def forward(self, x):
        # x: (batch, time)
        z = torch.zeros(x.shape[0], device=x.device, dtype=x.dtype)
        out = []
        for n in range(x.shape[-1]):
            z = self.a0 * x[..., n] + self.b1 * z
            out.append(z)
        return torch.stack(out, dim=-1)


def cases(rng):
    for batch, steps in ((2, 5), (1, 1), (3, 20)):
        x = torch.tensor(rng.standard_normal((batch, steps)), requires_grad=True)
        yield "OnePole(0.9)", (x,), {}
