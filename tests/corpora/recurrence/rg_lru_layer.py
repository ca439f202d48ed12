# expect: ASC101 safe scope=RecurrentGate.forward
import torch
import torch.nn.functional as F
from torch import nn


class RecurrentGate(nn.Module):
    """Real-gated linear recurrence: gates see the input only."""

    def __init__(self, width, c=8.0):
        super().__init__()
        self.input_gate = nn.Linear(width, width)
        self.recurrence_gate = nn.Linear(width, width)
        self.log_lambda = nn.Parameter(torch.randn(width))
        self.c = c

    def forward(self, x, h=None):
        batch, length, width = x.shape
        i = torch.sigmoid(self.input_gate(x))
        r = torch.sigmoid(self.recurrence_gate(x))
        log_a = -self.c * F.softplus(self.log_lambda) * r
        a = torch.exp(log_a)
        gated = torch.sqrt(1 - torch.exp(2 * log_a)) * (i * x)
        if h is None:
            h = x.new_zeros(batch, width)
        ys = []
        for t in range(length):
            h = a[:, t] * h + gated[:, t]
            ys.append(h)
        return torch.stack(ys, dim=1), h


def cases(rng):
    for batch, length in ((1, 1), (2, 29)):
        x = torch.tensor(rng.standard_normal((batch, length, 5)), dtype=torch.float32)
        h = torch.tensor(rng.standard_normal((batch, 5)), dtype=torch.float32)
        yield "RecurrentGate(5)", (x.requires_grad_(),), {}
        yield "RecurrentGate(5)", (x, h.requires_grad_()), {}
