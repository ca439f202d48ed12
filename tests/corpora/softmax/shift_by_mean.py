# expect: ASC107 safe|unsafe scope=centred
# Any shift that is constant along the axis cancels.
import torch


def centred(x):
    z = x - x.mean(dim=-1, keepdim=True)
    return z.exp() / z.exp().sum(dim=-1, keepdim=True)


def cases(rng):
    x = torch.tensor(rng.standard_normal((4, 10)), dtype=torch.float32, requires_grad=True)
    yield "centred", (x,), {}
