# refuse: the unnormalised weights are returned as well
import torch


def weights_and_mass(scores):
    e = torch.exp(scores - scores.amax(-1, keepdim=True))
    return e, e / e.sum(-1, keepdim=True)


def cases(rng):
    scores = torch.tensor(rng.standard_normal((4, 5)), dtype=torch.float32, requires_grad=True)
    yield "weights_and_mass", (scores,), {}
