# expect: SEP204 safe scope=box_filter
import torch
import torch.nn.functional as F


def box_filter(x, r):
    k = 2 * r + 1
    ch = x.shape[1]
    kernel = torch.ones(ch, 1, k, k, dtype=x.dtype) / (k * k)
    return F.conv2d(F.pad(x, (r, r, r, r), mode="reflect"), kernel, groups=ch)


def cases(rng):
    yield (
        "box_filter",
        (torch.from_numpy(rng.standard_normal((2, 3, 18, 19))).float().requires_grad_(), 2),
        {},
    )
