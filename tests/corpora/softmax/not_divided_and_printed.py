# refuse: ASC107 the function that divides prints
import torch


def shares(weights):
    print(weights.shape)
    return weights / weights.sum(dim=-1, keepdim=True)


def routed(votes):
    grown = torch.exp(votes)
    return shares(grown)


def cases(rng):
    yield "routed", (torch.randn(3, 5, requires_grad=True),), {}
