# expect: ASC108 safe scope=ln_
import torch


@torch.no_grad()
def ln_(x, w, b):
    y = x - x.mean(-1, keepdim=True)
    y.mul_(torch.rsqrt(y.square().mean(-1, keepdim=True).add_(1e-5)))
    return y.mul_(w).add_(b)


def cases(rng):
    yield (
        "ln_",
        (
            torch.randn(3, 8),
            torch.randn(8),
            torch.randn(8),
        ),
        {},
    )
