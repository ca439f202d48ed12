# refuse: each row is summed whole, over axes of which nothing says how many there are
# may: RED502 safe scope=f
import torch


def f(a, b):
    h = a[0]
    out = []
    for i in range(len(a)):
        h = torch.sigmoid(b) * h + (1 - torch.sigmoid(b)) * a[i]
        out.append(h.sum())
    return torch.stack(out)


def cases(rng):
    def G(*s):
        return torch.tensor(rng.standard_normal(s), dtype=torch.float32, requires_grad=True)

    yield "f", (G(5, 3), G(3)), {}
    yield "f", (G(5), G(5)), {}
    yield "f", (G(5, 4, 3), G(3)), {}
