# expect: SPA406 safe scope=seg_item
import torch


def seg_item(x, labels):
    sums = torch.zeros(8, x.shape[1])
    for i in range(x.size(0)):
        sums[labels[i].item()] += x[i]
    return sums


def cases(rng):
    yield (
        "seg_item",
        (
            torch.from_numpy(rng.random((9, 3))).float().requires_grad_(),
            torch.from_numpy(rng.integers(0, 7, 9)),
        ),
        {},
    )
