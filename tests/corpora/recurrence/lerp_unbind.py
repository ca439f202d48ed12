# expect: ASC101 safe scope=LeakyIntegrator.forward
import torch
import torch.nn as nn


class LeakyIntegrator(nn.Module):
    """A layer of leaky neurons with a learned time constant per unit."""

    def __init__(self, units: int):
        super().__init__()
        self.proj = nn.Linear(units, units)
        self.leak = nn.Parameter(torch.linspace(-2, 2, units))

    def forward(self, frames: torch.Tensor) -> torch.Tensor:
        drive = self.proj(frames)
        leak = self.leak.sigmoid()
        v = torch.zeros_like(drive[:, 0])
        trace = []
        for d in drive.unbind(dim=1):
            v = torch.lerp(v, d, leak)
            trace.append(v)
        return torch.stack(trace, dim=1)


def cases(rng):
    for batch, time in ((1, 1), (2, 33)):
        frames = torch.tensor(rng.standard_normal((batch, time, 6)), dtype=torch.float32)
        yield "LeakyIntegrator(6)", (frames.requires_grad_(),), {}
