# expect: RED507 safe scope=rays
import torch


def rays(intrinsics: torch.Tensor, pixels: torch.Tensor):
    """intrinsics: (batch, 3, 3); pixels: (batch, points, 3)."""
    batch, points, _ = pixels.shape
    batch, _, _ = intrinsics.shape
    inverse = intrinsics.inverse()
    return torch.einsum("bij,bpj->bpi", inverse, pixels)


def cases(rng):
    k = torch.eye(3) + 0.1 * torch.randn(2, 3, 3)
    yield "rays", (k.requires_grad_(), torch.randn(2, 5, 3, requires_grad=True)), {}
    yield (
        "rays",
        (torch.eye(3).repeat(3, 1, 1) + 0.1 * torch.randn(3, 3, 3), torch.randn(3, 3, 3)),
        {},
    )
