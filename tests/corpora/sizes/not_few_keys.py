# refuse: SEP208 the keys are few
import torch
import torch.nn.functional as F


@torch.no_grad()
def attend(scale):
    q = torch.ones(1, 1, 16384, 8)
    k = torch.ones(1, 1, 77, 8)
    v = torch.ones(1, 1, 77, 8)
    return F.scaled_dot_product_attention(q * scale, k, v)[:, :, :2]


def cases(rng):
    yield "attend", (0.5,), {}
