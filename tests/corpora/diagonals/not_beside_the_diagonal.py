# refuse: SPA402 the entries stand beside the diagonal
import torch


def shifted(x: torch.Tensor, weights: torch.Tensor):
    (n,) = weights.shape
    return torch.diag(weights, 1) @ x


def cases(rng):
    yield "shifted", (torch.randn(4, 2), torch.randn(3)), {}
