# expect: RED505 unsafe scope=ranked
import torch


def ranked(scores: torch.Tensor, place: int):
    ordered, _ = scores.sort(dim=1, descending=True)
    return ordered[:, place]


def cases(rng):
    x = torch.tensor(rng.standard_normal((3, 6)))
    yield "ranked", (x, 1), {}
    yield "ranked", (x, -1), {}
