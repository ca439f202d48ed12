# expect: SPA402 safe scope=filtered
import torch


def filtered(signal: torch.Tensor, response: torch.Tensor):
    batch, modes = response.shape
    batch, modes, channels = signal.shape
    return torch.diag_embed(response).bmm(signal)


def cases(rng):
    yield "filtered", (torch.randn(2, 3, 4, requires_grad=True), torch.randn(2, 3)), {}
    yield "filtered", (torch.randn(3, 3, 3), torch.randn(3, 3)), {}
