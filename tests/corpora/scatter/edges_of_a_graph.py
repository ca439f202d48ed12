# expect: SPA406 safe scope=edges
import torch


def edges(x, src, dst):
    out = torch.zeros_like(x)
    for e in range(src.shape[0]):
        out[dst[e]] += x[src[e]]
    return out


def cases(rng):
    yield (
        "edges",
        (
            torch.from_numpy(rng.random(8)).float().requires_grad_(),
            torch.from_numpy(rng.integers(0, 7, 9)),
            torch.from_numpy(rng.integers(0, 7, 9)),
        ),
        {},
    )
