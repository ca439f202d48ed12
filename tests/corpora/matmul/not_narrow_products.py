# refuse: LOC301 products of 8 bits are added up in 32 bits, and as matrices in 8
import torch


def overlaps(q: torch.Tensor, k: torch.Tensor):
    left, right = q.to(torch.int8), k.to(torch.int8)
    n, d = left.shape
    out = torch.zeros(n)
    for i in range(n):
        for c in range(d):
            out[i] += left[i, c] * right[i, c]
    return out


def cases(rng):
    for n, d in ((1, 2), (3, 40)):
        numbers = rng.integers(-11, 11, size=(2, n, d))
        yield "overlaps", tuple(torch.from_numpy(side) for side in numbers), {}
