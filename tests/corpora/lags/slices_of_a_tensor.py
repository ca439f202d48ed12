# expect: SYM604 safe scope=f
import torch


def f(x):
    n = x.shape[0]
    r = torch.zeros(n)
    for lag in range(n):
        r[lag] = (x[: n - lag] * x[lag:]).sum()
    return r


def cases(rng):
    def R(*s):
        return torch.tensor(rng.standard_normal(s), dtype=torch.float32)

    for args in [(R(9),), (R(1),)]:
        yield "f", args, {}
