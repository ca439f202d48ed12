# expect: ASC109 safe scope=attend
# expect: RED507 safe scope=solved
import numpy as np
import torch

torch.backends.cudnn.benchmark = False
if not hasattr(np, "float"):
    np.float = float


def attend(q: torch.Tensor, k: torch.Tensor, v: torch.Tensor):
    """q, k, v: (B, T, D)."""
    weights = torch.softmax(q @ k.transpose(-1, -2), dim=-1)
    return weights @ v


def solved(a: np.ndarray, b: np.ndarray):
    n, _ = a.shape
    m, _ = b.shape
    return np.linalg.inv(a) @ b


def cases(rng):
    yield "attend", (torch.randn(2, 5, 4), torch.randn(2, 5, 4), torch.randn(2, 5, 4)), {}
    yield "solved", (np.eye(3) * 2, np.ones((3, 2))), {}
