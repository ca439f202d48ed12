# expect: ASC108 safe scope=f
import torch


def f(x):
    x = x.float()
    m = x.mean()
    d = x - m
    return torch.dot(d, d) / len(x)


def cases(rng):
    def R(*s):
        return torch.tensor(rng.standard_normal(s), dtype=torch.float32)

    for args in [(R(5),), (R(2),)]:
        yield "f", args, {}
