# refuse: the count stays a number
import torch


def f(x: torch.Tensor, a: torch.Tensor):
    h = torch.zeros(x.shape[1])
    n = 0
    ys = []
    for t in range(x.shape[0]):
        h = h * a + x[t]
        if x[t].sum() > 0:
            n += 1
        ys.append(h * n)
    return torch.stack(ys), n


def cases(rng):
    def G(*s):
        return torch.tensor(rng.normal(size=s), dtype=torch.float32)

    yield "f", (G(7, 3), G(3)), {}
