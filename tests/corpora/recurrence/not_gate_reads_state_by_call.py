# refuse: the gate reads the state inside a method of the module
import torch
from torch import nn


class Highway(nn.Module):
    def __init__(self, d):
        super().__init__()
        self.mix = nn.Linear(2 * d, d)

    def gate(self, state, x_t):
        return torch.sigmoid(self.mix(torch.cat([state, x_t], dim=-1)))

    def forward(self, x):
        state = torch.zeros_like(x[:, 0])
        outputs = torch.empty_like(x)
        for t in range(x.size(1)):
            a = self.gate(state, x[:, t])
            state = a * state + (1 - a) * x[:, t]
            outputs[:, t] = state
        return outputs


def cases(rng):
    yield "Highway(3)", (torch.tensor(rng.standard_normal((2, 8, 3)), dtype=torch.float32),), {}
