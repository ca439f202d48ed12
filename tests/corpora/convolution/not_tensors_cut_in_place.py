# refuse: what is added up was written a step before
import torch


def sums(x: torch.Tensor, r: int):
    n = x.shape[0]
    for t in range(n):
        x[t] = x[max(0, t - r) : t + 1].sum()
    return x


def cases(rng):
    yield "sums", (torch.from_numpy(rng.standard_normal(7).astype("float32")), 2), {}
