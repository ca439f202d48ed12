# refuse: powers of two above, powers of e below
import torch


def mixed_bases(x):
    m = x.amax(-1, keepdim=True)
    return torch.exp2(x - m) / torch.exp(x - m).sum(-1, keepdim=True)


def cases(rng):
    yield "mixed_bases", (torch.tensor(rng.standard_normal((4, 5)), dtype=torch.float32),), {}
