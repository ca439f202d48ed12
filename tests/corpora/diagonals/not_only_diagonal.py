# refuse: SPA402 a rank-one part is added
import torch


def updated(x: torch.Tensor, d: torch.Tensor, u: torch.Tensor):
    (n,) = d.shape
    return (torch.diag(d) + torch.outer(u, u)) @ x


def cases(rng):
    yield "updated", (torch.randn(3, 2), torch.randn(3), torch.randn(3)), {}
