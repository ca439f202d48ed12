# refuse: LOC305 the exponential of a difference is a product of what is of each
import torch


def f(level: torch.Tensor, value: torch.Tensor):
    assert level.ndim == 1 and value.ndim == 1
    decay = torch.exp(level[:, None] - level[None, :])
    return (decay * value[None, :]).sum(1)


def cases(rng):
    for n in (1, 2, 7):
        yield "f", (torch.tensor(rng.normal(size=n)), torch.tensor(rng.random(n))), {}
