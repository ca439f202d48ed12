# expect: RED506 unsafe scope=likeliest
# expect: RED506 unsafe scope=nearest
import torch


def likeliest(log_probabilities: torch.Tensor, k: int):
    likelihood = log_probabilities.exp()
    _, places = torch.topk(likelihood, k, dim=1)
    return places


def nearest(points: torch.Tensor):
    rows, columns = points.shape
    distances = torch.sqrt((points * points).sum(-1))
    least, place = distances.min(0)
    return points[place]


def cases(rng):
    yield "likeliest", (torch.randn(4, 6), 2), {}
    yield "nearest", (torch.randn(5, 3),), {}
    yield "nearest", (torch.randn(1, 2),), {}
