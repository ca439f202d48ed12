# expect: RED506 safe scope=spacing
# expect: SEP205 safe scope=spacing
import torch


def spacing(points: torch.Tensor, k: int):
    n, d = points.shape
    squares = ((points[:, None, :] - points[None, :, :]) ** 2).sum(-1)
    near = torch.sqrt(squares + 1e-12).topk(k, dim=1, largest=False)[0]
    return near.mean(dim=1)


def cases(rng):
    yield "spacing", (torch.randn(6, 3, requires_grad=True), 3), {}
    yield "spacing", (torch.randn(2, 1), 1), {}
