# refuse: RED505 three places are read
import torch


def f(x):
    s, _ = x.sort()
    return s[0] + s[1] + s[-1]


def cases(rng):
    def R(*s):
        return torch.tensor(rng.standard_normal(s), dtype=torch.float32)

    for args in [(R(7),), (R(3),)]:
        yield "f", args, {}
