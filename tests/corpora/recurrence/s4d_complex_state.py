# expect: ASC101 safe scope=DiagonalSSM.recurrent
import math

import torch
from torch import nn


class DiagonalSSM(nn.Module):
    """Diagonal state space layer, run as a recurrence over (batch, channels, length)."""

    def __init__(self, channels, n=4, dt=0.05):
        super().__init__()
        real = torch.full((channels, n), -0.5)
        imag = math.pi * torch.arange(n).repeat(channels, 1).float()
        self.A = nn.Parameter(torch.complex(real, imag))
        self.C = nn.Parameter(torch.randn(channels, n, dtype=torch.cfloat))
        self.D = nn.Parameter(torch.ones(channels))
        self.dt = dt

    def recurrent(self, u):
        bsz, channels, length = u.shape
        A_bar = torch.exp(self.dt * self.A)
        B_bar = (A_bar - 1) / self.A
        x = torch.zeros(bsz, channels, self.A.shape[1], dtype=A_bar.dtype, device=u.device)
        y = []
        for k in range(length):
            x = A_bar * x + B_bar * u[:, :, k].unsqueeze(-1)
            y.append(2 * (self.C * x).sum(-1).real)
        y = torch.stack(y, dim=-1)
        return y + self.D[:, None] * u


def cases(rng):
    for bsz, length in ((1, 1), (2, 26)):
        u = torch.tensor(rng.standard_normal((bsz, 3, length)), dtype=torch.float32)
        yield "DiagonalSSM(3).recurrent", (u.requires_grad_(),), {}
