# refuse: RED506 the largest probability needs the sum of all
import torch


def confidence(scores: torch.Tensor):
    return torch.softmax(scores, dim=-1).amax(dim=-1)


def cases(rng):
    yield "confidence", (torch.randn(3, 5),), {}
