# refuse: RED507 only some rows of the inverse are used
import torch


def marginal(precision: torch.Tensor, x: torch.Tensor):
    n, _ = precision.shape
    return torch.inverse(precision)[:2] @ x


def cases(rng):
    yield "marginal", (torch.eye(4) + 0.1 * torch.randn(4, 4), torch.randn(4)), {}
