# refuse: RED505 what is sorted is written between the two places
import torch


def f(x):
    s, _ = x.sort()
    low = s[0]
    x.mul_(2)
    return s[-1] - low, x


def cases(rng):
    def R(*s):
        return torch.tensor(rng.standard_normal(s), dtype=torch.float32)

    for args in [(R(7),), (R(3),)]:
        yield "f", args, {}
