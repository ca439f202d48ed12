# expect: RED506 safe scope=chamfer
# expect: SEP205 safe scope=chamfer
import torch


def chamfer(first: torch.Tensor, second: torch.Tensor):
    batch, n, d = first.shape
    batch, m, d = second.shape
    squares = ((first[:, :, None, :] - second[:, None, :, :]) ** 2).sum(-1)
    distance, _ = torch.sqrt(squares + 1e-9).min(dim=2)
    return distance.mean(dim=1)


def cases(rng):
    yield "chamfer", (torch.randn(2, 5, 3, requires_grad=True), torch.randn(2, 4, 3)), {}
    yield "chamfer", (torch.randn(1, 1, 2), torch.randn(1, 1, 2)), {}
