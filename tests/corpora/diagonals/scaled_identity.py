# expect: SPA402 safe scope=gated
import torch


def gated(x: torch.Tensor, gate: torch.Tensor):
    batch, size = x.shape
    (size,) = gate.shape
    return torch.einsum("bi,ij->bj", x, torch.eye(size) * gate)


def cases(rng):
    yield "gated", (torch.randn(5, 3, requires_grad=True), torch.randn(3, requires_grad=True)), {}
    yield "gated", (torch.randn(1, 1), torch.randn(1)), {}
