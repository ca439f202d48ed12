# refuse: numbers that a tensor chooses are whole
import torch


def f(x: torch.Tensor):
    (T,) = x.shape
    n = torch.zeros(())
    ys = []
    for t in range(T):
        n = torch.where(x[t] > 0, n + 1, torch.zeros(()))
        ys.append(x[t] * n)
    return torch.stack(ys), n


def cases(rng):
    def G(*s):
        return torch.tensor(rng.normal(size=s), dtype=torch.float32)

    yield "f", (G(7),), {}
