# expect: ASC107 safe scope=weights
# expect: ASC107 safe scope=of_highest
# expect: ASC107 safe scope=log_weights
import torch


def _shifted(z, dim=-1):
    return z - z.max(dim=dim, keepdim=True).values


def _highest(z, along):
    return z.max(dim=along, keepdim=True)[0]


def weights(z, dim=-1):
    e = _shifted(z, dim).exp()
    return e / e.sum(dim=dim, keepdim=True)


def of_highest(z, dim=-1):
    e = torch.exp(z - _highest(z, along=dim))
    return e / e.sum(dim=dim, keepdim=True)


def log_weights(z, axis):
    z = _shifted(z, dim=axis)
    return z - torch.exp(z).sum(dim=axis, keepdim=True).log()


def cases(rng):
    for shape in ((2, 1), (3, 5, 4)):
        z = torch.from_numpy(rng.standard_normal(shape)).requires_grad_()
        for axis in (0, 1, -1):
            for name in ("weights", "of_highest", "log_weights"):
                yield name, (z, axis), {}
