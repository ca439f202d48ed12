# expect: SPA406 safe scope=seg_rows
import torch


def seg_rows(x, labels, k):
    sums = torch.zeros(k, x.shape[1], dtype=x.dtype)
    counts = torch.zeros(k)
    for i in range(x.size(0)):
        c = labels[i]
        sums[c] += x[i]
        counts[c] += 1
    return sums, counts


def cases(rng):
    yield (
        "seg_rows",
        (
            torch.from_numpy(rng.random((9, 3))).float().requires_grad_(),
            torch.from_numpy(rng.integers(0, 7, 9)),
            8,
        ),
        {},
    )
