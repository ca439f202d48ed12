# refuse: dropout on the state, active in training
import torch
import torch.nn.functional as F
from torch import nn


class NoisyIntegrator(nn.Module):
    def __init__(self, d):
        super().__init__()
        self.decay = nn.Parameter(torch.rand(d))

    def forward(self, x):
        h = torch.zeros_like(x[:, 0])
        out = []
        for t in range(x.shape[1]):
            h = self.decay * F.dropout(h, 0.2, training=self.training) + x[:, t]
            out.append(h)
        return torch.stack(out, dim=1)


def cases(rng):
    yield (
        "NoisyIntegrator(3)",
        (torch.tensor(rng.standard_normal((2, 7, 3)), dtype=torch.float32),),
        {},
    )
