# expect: ASC107 safe scope=by_columns
# expect: ASC107 safe scope=by_helper
# expect: ASC107 unsafe scope=by_the_second
import torch


def by_columns(x: torch.Tensor):
    e = (x - x.amax(0, keepdim=True)).exp()
    return e / e.sum(-1, keepdim=True)


def shift(z, dim=-1):
    return z - z.amax(dim, keepdim=True)


def by_helper(x: torch.Tensor):
    e = shift(x, 0).exp()
    return e / e.sum(-1, keepdim=True)


def by_the_second(x: torch.Tensor):
    e = (x - x.amax(1, keepdim=True)).exp()
    return e / e.sum(-1, keepdim=True)


def cases(rng):
    def normal(*shape):
        return torch.tensor(rng.standard_normal(shape), dtype=torch.float32)

    for name in ("by_columns", "by_helper", "by_the_second"):
        yield name, (normal(5, 3),), {}
        yield name, (normal(2, 5, 3),), {}
