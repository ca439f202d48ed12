# refuse: SEP208 short sequences
import torch
import torch.nn.functional as F


@torch.no_grad()
def attend(scale):
    q = torch.ones(1, 1, 128, 8)
    k = torch.ones(1, 1, 128, 8)
    v = torch.ones(1, 1, 128, 8)
    return F.scaled_dot_product_attention(q * scale, k, v)[:, :, :2]


def cases(rng):
    yield "attend", (0.5,), {}
