# expect: SPA404 advice scope=f
import torch


def f(a: torch.Tensor, b: torch.Tensor):
    block = torch.arange(a.shape[0]) // 3
    return (a @ b) * (block[:, None] == block)


def cases(rng):
    for n, d in ((2, 3), (7, 5)):
        yield (
            "f",
            (torch.tensor(rng.normal(size=(n, d))), torch.tensor(rng.normal(size=(d, n)))),
            {},
        )
