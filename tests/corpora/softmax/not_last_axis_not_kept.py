# refuse: ASC107 sums along the last axis meet the last axis: no row is divided by its own sum
import torch


def shares(logits: torch.Tensor) -> torch.Tensor:
    weights = torch.exp(logits)
    return weights / weights.sum(-1)


def second(logits: torch.Tensor) -> torch.Tensor:
    weights = torch.exp(logits - logits.amax(1))
    return weights / weights.sum(1)


def cases(rng):
    for shape in ((1, 1), (4, 4), (3, 3, 3)):
        yield "shares", (torch.from_numpy(rng.normal(size=shape)),), {}
        yield "second", (torch.from_numpy(rng.normal(size=shape)),), {}
