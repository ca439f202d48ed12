# expect: LOC308 safe scope=pool
import torch


def pool(x, k: int):
    p = x.unfold(2, k, k).unfold(3, k, k)
    return p.mean(dim=(-1, -2))


def cases(rng):
    yield (
        "pool",
        (torch.from_numpy(rng.standard_normal((2, 3, 6, 9))).float().requires_grad_(), 2),
        {},
    )
