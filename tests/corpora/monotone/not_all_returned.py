# refuse: RED506 the distances are returned as well
import torch


def nearest(x: torch.Tensor, y: torch.Tensor):
    distances = torch.sqrt(((x[:, None] - y[None]) ** 2).sum(-1))
    return distances, distances.min(dim=1)[0]


def cases(rng):
    yield "nearest", (torch.randn(5, 3), torch.randn(4, 3)), {}
