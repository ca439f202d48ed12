# refuse: the denominator has an extra 1
import torch


def quiet_softmax(x):
    e = torch.exp(x)
    return e / (1 + e.sum(dim=-1, keepdim=True))


def cases(rng):
    yield "quiet_softmax", (torch.tensor(rng.standard_normal((3, 5)), dtype=torch.float32),), {}
