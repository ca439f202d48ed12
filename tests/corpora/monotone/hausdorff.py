# expect: RED506 safe scope=hausdorff
# expect: SEP205 safe scope=hausdorff
import torch


def hausdorff(x: torch.Tensor, y: torch.Tensor):
    squares = (x.unsqueeze(1) - y.unsqueeze(0)).pow(2).sum(dim=-1)
    return squares.sqrt().min(dim=1).values.max()


def cases(rng):
    yield "hausdorff", (torch.randn(5, 3, requires_grad=True), torch.randn(4, 3)), {}
    yield "hausdorff", (torch.randn(1, 2), torch.randn(1, 2)), {}
