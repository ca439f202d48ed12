# expect: ASC107 safe scope=weights
# expect: ASC107 safe scope=in_two_steps
# expect: ASC107 safe scope=divided_here
# expect: ASC107 safe scope=given_both
import torch


def _exponentials(z):
    return torch.exp(z - z.amax(-1, keepdim=True))


def _shares(e):
    return e / e.sum(-1, keepdim=True)


def weights(z):
    return _shares(_exponentials(z))


def in_two_steps(scores, temperature: float):
    e = _exponentials(scores / temperature)
    return 2 * _shares(e)


def divided_here(z):
    e = _exponentials(z)
    return e / e.sum(-1, keepdim=True)


def _both(z):
    e = torch.exp(z)
    return e, e.sum(-1, keepdim=True)


def given_both(z):
    e, total = _both(z)
    return e / total


def cases(rng):
    for shape in ((1, 2), (3, 5), (2, 3, 4)):
        z = torch.from_numpy(rng.standard_normal(shape)).requires_grad_()
        yield "weights", (z,), {}
        yield "in_two_steps", (z, 0.5), {}
        yield "divided_here", (z,), {}
        yield "given_both", (z,), {}
