# expect: SPA406 safe scope=seg_torch
import torch


def seg_torch(x, idx):
    out = torch.zeros(8)
    for i in range(x.shape[0]):
        out[idx[i]] += x[i]
    return out


def cases(rng):
    yield (
        "seg_torch",
        (
            torch.from_numpy(rng.random(9)).float().requires_grad_(),
            torch.from_numpy(rng.integers(-8, 8, 9)),
        ),
        {},
    )
