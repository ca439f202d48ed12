# refuse: RED506 the probabilities of the winners are used as well
import torch


def predicted(logits: torch.Tensor):
    probabilities = torch.softmax(logits, dim=-1)
    confidence, place = probabilities.max(dim=-1)
    return place, confidence


def cases(rng):
    yield "predicted", (torch.randn(4, 6),), {}
