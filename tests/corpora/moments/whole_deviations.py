# expect: ASC108 safe scope=f
import torch


def f(x: torch.Tensor):
    return ((x - x.mean()) ** 2).mean()


def cases(rng):
    yield "f", (torch.tensor(rng.normal(size=(5, 3)), requires_grad=True),), {}
    yield "f", (torch.tensor(rng.normal(size=(5,)), requires_grad=True),), {}
    yield "f", (torch.tensor(2.0, requires_grad=True),), {}
    yield (
        "f",
        (torch.tensor(rng.normal(size=(5, 2, 3)), dtype=torch.float32, requires_grad=True),),
        {},
    )
