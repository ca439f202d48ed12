# refuse: ASC107 one of the two functions does something else as well
import torch

seen = []


def _exponentials(z):
    return torch.exp(z - z.amax(-1, keepdim=True))


def _noted(z):
    e = torch.exp(z)
    seen.append(float(e.max()))
    return e


def _changing(z):
    z = z.sub_(1.0)
    return torch.exp(z)


def _shares(e):
    return e / e.sum(-1, keepdim=True)


def _of_columns(e):
    return e / e.sum(0, keepdim=True)


def _with_an_epsilon(e):
    return e / (e.sum(-1, keepdim=True) + 1e-6)


def numerator_kept(z):
    e = _exponentials(z)
    return _shares(e), e


def noted(z):
    return _shares(_noted(z))


def changing(z):
    return _shares(_changing(z))


def other_axis(z):
    return _of_columns(_exponentials(z))


def with_an_epsilon(z):
    return _with_an_epsilon(_exponentials(z))


def cut(z):
    return _shares(_exponentials(z)[:, :-1])


def one_more(z):
    return _shares(1 + _exponentials(z))


def cases(rng):
    for shape in ((2, 3), (4, 5)):
        for name in ("numerator_kept", "noted", "other_axis", "with_an_epsilon", "cut", "one_more"):
            yield name, (torch.from_numpy(rng.standard_normal(shape)).requires_grad_(),), {}
        yield "changing", (torch.from_numpy(rng.standard_normal(shape)),), {}
