# expect: ASC107 safe scope=f
# expect: ASC107 safe scope=along_a_named_axis
import torch

AXIS = -1
KEEP = True


def f(x):
    weights = torch.exp(x - torch.max(x, dim=-1, keepdim=True)[0])
    total = torch.sum(weights, dim=-1, keepdim=True)
    weights /= total
    return weights


def along_a_named_axis(x):
    weights = torch.exp(x - x.amax(dim=AXIS, keepdim=KEEP))
    return weights / weights.sum(dim=AXIS, keepdim=KEEP)


def cases(rng):
    for sizes in ((3, 5), (1, 1), (2, 1, 4)):
        yield "f", (torch.randn(sizes),), {}
        yield "along_a_named_axis", (torch.randn(sizes, requires_grad=True),), {}
