"""The selective scan of a Mamba block, step by step.

Each of the channels keeps a small state of N numbers. At each time step the state decays, by an
amount that depends on the input, takes the input in, and is read out:

    h[t] = exp(delta[t] A) h[t-1] + delta[t] B[t] x[t]
    y[t] = C[t] . h[t]
"""

import torch
from torch import Tensor


def selective_scan(x: Tensor, delta: Tensor, A: Tensor, B: Tensor, C: Tensor) -> Tensor:
    """x, delta: (batch, length, channels); A: (channels, n); B, C: (batch, length, n)."""
    batch, length, channels = x.shape
    n = A.shape[1]
    h = torch.zeros(batch, channels, n, dtype=x.dtype, device=x.device)
    outputs = []
    for t in range(length):
        decay = torch.exp(delta[:, t, :, None] * A)
        drive = delta[:, t, :, None] * B[:, t, None, :] * x[:, t, :, None]
        h = decay * h + drive
        outputs.append((C[:, t, None, :] * h).sum(dim=-1))
    return torch.stack(outputs, dim=1)


def selective_scan_inputs(batch=1, length=1024, channels=256, n=16):
    torch.manual_seed(0)
    x = torch.randn(batch, length, channels)
    delta = torch.nn.functional.softplus(torch.randn(batch, length, channels) - 2)
    A = -torch.arange(1.0, n + 1).repeat(channels, 1)
    B = torch.randn(batch, length, n)
    C = torch.randn(batch, length, n)
    return x, delta, A, B, C


if __name__ == "__main__":
    y = selective_scan(*selective_scan_inputs())
    print(tuple(y.shape), f"{y.abs().mean():.4f}")
