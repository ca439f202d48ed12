# expect: ASC107 safe scope=by_reshape
# expect: ASC107 safe scope=by_size
import torch


def by_reshape(x):
    highest = x.amax(1).reshape(-1, 1)
    e = torch.exp(x - highest)
    return e / e.sum(dim=1).reshape(-1, 1)


def by_size(x: torch.Tensor):
    n = x.shape[0]
    e = torch.exp(x - x.amax(1).view(n, 1))
    return e / torch.sum(e, dim=1).view(n, 1)


def cases(rng):
    for name in ("by_reshape", "by_size"):
        for shape in ((3, 5), (1, 2)):
            yield name, (torch.tensor(rng.standard_normal(shape)),), {}
