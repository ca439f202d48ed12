"""Retention: attention as a recurrence over a matrix.

Each head keeps a matrix that fades by a factor of its own at each step, takes in the outer product
of the step's key and value, and is read by the step's query:

    S[t] = gamma S[t-1] + k[t] v[t]^T
    o[t] = q[t] S[t]
"""

import torch
from torch import Tensor


def retention(q: Tensor, k: Tensor, v: Tensor, gamma: Tensor) -> Tensor:
    """q, k, v: (batch, length, heads, width); gamma: (heads,)."""
    batch, length, heads, width = q.shape
    S = torch.zeros(batch, heads, width, width, dtype=q.dtype, device=q.device)
    outputs = []
    for t in range(length):
        S = gamma[:, None, None] * S + torch.einsum("bhd,bhe->bhde", k[:, t], v[:, t])
        outputs.append(torch.einsum("bhd,bhde->bhe", q[:, t], S))
    return torch.stack(outputs, dim=1)


def retention_inputs(batch=1, length=1024, heads=4, width=64):
    torch.manual_seed(0)
    q, k, v = (torch.randn(batch, length, heads, width) for _ in range(3))
    gamma = 1 - 2.0 ** -torch.arange(5.0, 5.0 + heads)
    return q * width**-0.5, k, v, gamma


if __name__ == "__main__":
    o = retention(*retention_inputs())
    print(tuple(o.shape), f"{o.abs().mean():.4f}")
