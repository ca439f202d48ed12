# expect: ASC108 safe scope=f
import torch


def f(x: torch.Tensor, w: torch.Tensor):
    return w * (x - x.mean(-1, keepdim=True)) / x.std(-1, unbiased=False, keepdim=True)


def cases(rng):
    yield (
        "f",
        (
            torch.tensor(rng.normal(size=(5, 3)), requires_grad=True),
            torch.tensor(rng.normal(size=3)),
        ),
        {},
    )
