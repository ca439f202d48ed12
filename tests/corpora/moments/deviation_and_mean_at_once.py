# expect: ASC108 safe scope=f
import torch


def f(x: torch.Tensor):
    std, mean = torch.std_mean(x, dim=-1, unbiased=False, keepdim=True)
    return (x - mean) / std


def cases(rng):
    yield "f", (torch.tensor(rng.normal(size=(5, 3)), requires_grad=True),), {}
    yield (
        "f",
        (torch.tensor(rng.normal(size=(5, 33)), dtype=torch.float32, requires_grad=True),),
        {},
    )
