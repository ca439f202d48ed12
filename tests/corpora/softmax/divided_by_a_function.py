# expect: ASC107 safe scope=routed
import torch


def shares(weights, dim=-1):
    return weights / weights.sum(dim=dim, keepdim=True)


def routed(votes):
    grown = torch.exp(votes - votes.amax(1, keepdim=True))
    return shares(grown, 1)


def cases(rng):
    yield "routed", (torch.randn(3, 5, requires_grad=True),), {}
    yield "routed", (torch.randn(2, 1, requires_grad=True),), {}
