# expect: ASC107 safe scope=weights
import numpy as np
import torch


def weights(x):
    top = x.max(dim=-1, keepdim=True).values
    raised = (x - top).exp()
    return raised / raised.sum(-1, keepdim=True)


def entropy(p):
    return -np.sum(p * np.log(p))


def cases(rng):
    for shape in ((1, 2), (3, 7)):
        yield "weights", (torch.tensor(rng.standard_normal(shape), requires_grad=True),), {}
    yield "entropy", (np.array([0.25, 0.75]),), {}
