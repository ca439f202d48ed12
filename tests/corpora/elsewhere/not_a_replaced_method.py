# refuse: ASC109 the file puts another method in the place of the tensors' own
import torch


def attend(q: torch.Tensor, k: torch.Tensor, v: torch.Tensor):
    """q, k, v: (B, T, D)."""
    return (q @ k.transpose(-1, -2)).softmax(dim=-1) @ v


def doubled(q, k, v):
    original = torch.Tensor.softmax
    torch.Tensor.softmax = lambda x, dim: 2 * original(x, dim)
    try:
        return attend(q, k, v)
    finally:
        torch.Tensor.softmax = original


def cases(rng):
    yield "doubled", (torch.randn(2, 5, 4), torch.randn(2, 5, 4), torch.randn(2, 5, 4)), {}
