# expect: ASC108 safe scope=f
import torch


def f(x):
    x = x.float()
    n = x.shape[0]
    mean = torch.einsum("ij->j", x) / n
    return torch.einsum("ij,ij->j", x, x) / n - mean**2


def cases(rng):
    def R(*s):
        return torch.tensor(rng.standard_normal(s), dtype=torch.float32)

    for args in [(R(5, 3),), (R(2, 1),)]:
        yield "f", args, {}
