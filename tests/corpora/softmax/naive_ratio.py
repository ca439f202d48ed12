# expect: ASC107 safe scope=normalise
import torch


def normalise(scores):
    weights = torch.exp(scores)
    return weights / weights.sum(dim=-1, keepdim=True)


def cases(rng):
    for shape in ((1,), (3, 7), (2, 3, 33)):
        scores = torch.tensor(rng.standard_normal(shape), dtype=torch.float32)
        yield "normalise", (scores.requires_grad_(),), {}
