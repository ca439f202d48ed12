# expect: RED505 safe scope=f
import torch


def f(x):
    s, _ = x.sort(dim=-1)
    return s[..., -1] - s[..., 0]


def cases(rng):
    def R(*s):
        return torch.tensor(rng.standard_normal(s), dtype=torch.float32)

    def RG(*s):
        return R(*s).requires_grad_()

    for args in [(R(4, 7),), (R(1, 1),), (RG(2, 3),)]:
        yield "f", args, {}
