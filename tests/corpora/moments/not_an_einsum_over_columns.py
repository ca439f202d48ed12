# refuse: ASC108 the squares are summed over the other axis
import torch


def f(x):
    m = x.mean(0)
    return torch.einsum("ij,ij->i", x, x) / x.shape[1] - m**2


def cases(rng):
    def R(*s):
        return torch.tensor(rng.standard_normal(s), dtype=torch.float32)

    for args in [(R(3, 3),)]:
        yield "f", args, {}
