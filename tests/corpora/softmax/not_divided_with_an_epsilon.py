# refuse: ASC107 the divisor has an epsilon
import torch


def shares(weights):
    return weights / (1e-3 + weights.sum(dim=-1, keepdim=True))


def routed(votes):
    grown = torch.exp(votes)
    return shares(grown)


def cases(rng):
    yield "routed", (torch.randn(3, 5, requires_grad=True),), {}
