# refuse: ASC109 the file puts another function in the place of the library's
import torch


def attend(q: torch.Tensor, k: torch.Tensor, v: torch.Tensor):
    """q, k, v: (B, T, D)."""
    weights = torch.softmax(q @ k.transpose(-1, -2), dim=-1)
    return weights @ v


def doubled(q, k, v):
    original = torch.softmax
    torch.softmax = lambda x, dim: 2 * original(x, dim)
    try:
        return attend(q, k, v)
    finally:
        torch.softmax = original


def cases(rng):
    yield "doubled", (torch.randn(2, 5, 4), torch.randn(2, 5, 4), torch.randn(2, 5, 4)), {}
