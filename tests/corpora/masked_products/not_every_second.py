# refuse: SPA404 places that agree modulo a number lie in no block
import torch


def f(a: torch.Tensor, b: torch.Tensor):
    part = torch.arange(a.shape[0]) % 3
    return (a @ b) * (part[:, None] == part)


def cases(rng):
    for n, d in ((2, 3), (7, 5)):
        yield (
            "f",
            (torch.tensor(rng.normal(size=(n, d))), torch.tensor(rng.normal(size=(d, n)))),
            {},
        )
