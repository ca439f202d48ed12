# refuse: ASC107 the shift is over an axis that the code fixes, and moves along the chosen one
import torch
import torch.nn.functional as F


def _shift(z):
    return z - z.max(-1, keepdim=True).values


def shifted_elsewhere(z, dim):
    e = _shift(z).exp()
    return e / e.sum(dim=dim, keepdim=True)


def less_the_weights(z, dim):
    e = (z - F.softmax(z, -1)).exp()
    return e / e.sum(dim=dim, keepdim=True)


def less_the_norm(z, dim):
    e = (z - torch.linalg.vector_norm(z, dim=-1, keepdim=True)).exp()
    return e / e.sum(dim=dim, keepdim=True)


def less_the_deviation(z, dim):
    e = (z - z.std(-1, keepdim=True)).exp()
    return e / e.sum(dim=dim, keepdim=True)


def under_a_name(z, dim):
    last = -1
    e = (z - z.max(last, keepdim=True).values).exp()
    return e / e.sum(dim=dim, keepdim=True)


def first_of_each(z, dim):
    e = (z - z[..., :1]).exp()
    return e / e.sum(dim=dim, keepdim=True)


def _highest(z, dim):
    return z.max(dim=dim, keepdim=True).values if dim < 0 else z.abs()


def otherwise_from_the_front(z, dim):
    e = (z - _highest(z, dim=dim)).exp()
    return e / e.sum(dim=dim, keepdim=True)


class Weights(torch.nn.Module):
    def highest(self, z, dim):
        return z.max(dim=dim, keepdim=True).values if dim < 0 else z.abs()

    def forward(self, z, dim=-1):
        e = (z - self.highest(z, dim=dim)).exp()
        return e / e.sum(dim=dim, keepdim=True)


def cases(rng):
    for shape in ((2, 3), (3, 5, 4)):
        z = torch.from_numpy(rng.standard_normal(shape)).requires_grad_()
        for axis in (0, 1, -1):
            yield "shifted_elsewhere", (z, axis), {}
            yield "less_the_weights", (z, axis), {}
            yield "less_the_norm", (z, axis), {}
            yield "less_the_deviation", (z, axis), {}
            yield "under_a_name", (z, axis), {}
            yield "first_of_each", (z, axis), {}
            yield "otherwise_from_the_front", (z, axis), {}
            yield "Weights()", (z, axis), {}
