# refuse: LOC304 weights are dropped, the mask is changed, a stripe, or has rows of a batch
import torch
import torch.nn.functional as F


def dropped(q, k, v, width: int):
    length = q.shape[-2]
    place = torch.arange(length)
    near = (place[:, None] - place).abs() <= width
    return F.scaled_dot_product_attention(q, k, v, attn_mask=near, dropout_p=0.1)


def changed(q, k, v, width: int):
    length = q.shape[-2]
    place = torch.arange(length)
    near = (place[:, None] - place).abs() <= width
    near[0, -1] = True
    return F.scaled_dot_product_attention(q, k, v, attn_mask=near)


def stripes(q, k, v, width: int):
    length = q.shape[-2]
    place = torch.arange(length)
    near = (place[:, None] - place) % width == 0
    return F.scaled_dot_product_attention(q, k, v, attn_mask=near)


def causal_as_well(q, k, v, width: int):
    length = q.shape[-2]
    place = torch.arange(length)
    near = (place[:, None] - place).abs() <= width
    return F.scaled_dot_product_attention(q, k, v, near & (q[0, 0, :, :1] > -9))


def cases(rng):
    arrays = [torch.tensor(rng.standard_normal((2, 3, 6, 4))) for _ in range(3)]
    for name in ("dropped", "changed", "stripes", "causal_as_well"):
        yield name, (*arrays, 2), {}
