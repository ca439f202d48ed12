# expect: RED506 unsafe scope=ranked
import torch


def ranked(p: torch.Tensor):
    return p.log().argsort(dim=-1, descending=True)


def cases(rng):
    yield "ranked", (torch.rand(3, 5),), {}
    yield "ranked", (torch.rand(1),), {}
