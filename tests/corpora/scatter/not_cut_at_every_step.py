# refuse: every step cuts off a fraction
import torch


def totals(x: torch.Tensor, labels: torch.Tensor, n: int):
    (k,) = labels.shape
    out = torch.zeros(n, dtype=torch.int64)
    for i in range(k):
        out[labels[i]] = out[labels[i]] + x[i] * 0.5
    return out


def cases(rng):
    for k in (1, 9):
        x = torch.from_numpy(rng.integers(-9, 9, k))
        yield "totals", (x, torch.from_numpy(rng.integers(0, 3, k)), 3), {}
