# refuse: ASC107 the denominator is a running sum
import torch


def causal_share(x):
    e = torch.exp(x - x.amax(-1, keepdim=True))
    return e / e.cumsum(-1)


def cases(rng):
    yield "causal_share", (torch.tensor(rng.standard_normal((4, 5)), dtype=torch.float32),), {}
