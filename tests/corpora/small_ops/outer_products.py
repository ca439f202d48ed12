# expect: LOC306 safe scope=outer_rows
import torch


def outer_rows(a, b):
    B, n = a.shape
    m = b.shape[1]
    out = torch.zeros(B, n, m)
    for k in range(B):
        out[k] = torch.outer(a[k], b[k])
    return out


def cases(rng):
    yield (
        "outer_rows",
        (
            torch.from_numpy(rng.random((2, 5))).float().requires_grad_(),
            torch.from_numpy(rng.random((2, 3))).float().requires_grad_(),
        ),
        {},
    )
