# expect: ASC108 safe scope=norm
import torch


def norm(x, eps: float = 1e-5):
    m = x.mean(-1, keepdim=True)
    m2 = (x * x).mean(-1, keepdim=True)
    return (x - m) * torch.rsqrt(m2 - m**2 + eps)


def cases(rng):
    yield "norm", (torch.randn(3, 8, requires_grad=True),), {}
