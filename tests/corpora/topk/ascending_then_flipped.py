# expect: ASC110 safe scope=highest
import torch


def highest(x: torch.Tensor):
    return x.sort(dim=-1).values.flip(-1)[..., :4]


def cases(rng):
    for shape in ((9,), (3,), (2, 9)):
        yield "highest", (torch.tensor(rng.random(shape), requires_grad=True),), {}
