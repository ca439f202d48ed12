# may: ASC107 safe scope=crossed
# The maximum is taken over one axis and the sum over another: a softmax of the shifted scores, in
# which the shift stays.
import torch


def crossed(x):
    e = torch.exp(x - x.amax(dim=0, keepdim=True))
    return e / e.sum(dim=1, keepdim=True)


def cases(rng):
    yield "crossed", (torch.tensor(rng.standard_normal((4, 5)), dtype=torch.float32),), {}
