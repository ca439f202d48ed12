# refuse: the mean is over all rows as well
import torch


def means(x: torch.Tensor, r: int):
    rows, n = x.shape
    out = torch.zeros(n)
    for t in range(n):
        out[t] = x[:, max(0, t - r) : t + 1].mean()
    return out


def cases(rng):
    yield "means", (torch.from_numpy(rng.standard_normal((3, 7)).astype("float32")), 2), {}
