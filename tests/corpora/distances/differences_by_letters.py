# expect: SEP205 safe scope=pd
import torch


def pd(a, b):
    d = a[:, None, :] - b[None, :, :]
    return torch.einsum("ijk,ijk->ij", d, d)


def cases(rng):
    yield (
        "pd",
        (
            torch.randn(5, 4, requires_grad=True),
            torch.randn(6, 4, requires_grad=True),
        ),
        {},
    )
