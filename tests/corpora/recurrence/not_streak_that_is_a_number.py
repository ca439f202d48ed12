# refuse: the streak stays a number
import torch


def f(x: torch.Tensor):
    (T,) = x.shape
    n = 0
    ys = []
    for t in range(T):
        n = n + 1 if x[t] > 0 else 0
        ys.append(x[t] * n)
    return torch.stack(ys), n


def cases(rng):
    def G(*s):
        return torch.tensor(rng.normal(size=s), dtype=torch.float32)

    yield "f", (G(7),), {}
