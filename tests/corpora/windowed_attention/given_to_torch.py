# expect: LOC304 safe scope=attend
# expect: LOC304 safe scope=scaled
# expect: LOC304 safe scope=Block.forward
import torch
import torch.nn.functional as F
from torch import nn


def attend(q, k, v, width: int):
    length = q.shape[-2]
    ones = torch.ones(length, length, dtype=torch.bool)
    return F.scaled_dot_product_attention(q, k, v, attn_mask=ones.tril() & ones.triu(-width))


def scaled(q: torch.Tensor, k: torch.Tensor, v: torch.Tensor):
    batch, heads, length, size = q.shape
    place = torch.arange(length)
    far = (place[:, None] - place[None, :]).abs() > 2
    bias = torch.zeros(length, length).masked_fill(far, float("-inf"))
    return F.scaled_dot_product_attention(q, k, v, bias, dropout_p=0.0, scale=0.5)


class Block(nn.Module):
    def __init__(self, size: int, window: int):
        super().__init__()
        self.window = window
        self.mix = nn.Linear(size, 3 * size)

    def forward(self, x):
        batch, length, size = x.shape
        q, k, v = self.mix(x).chunk(3, dim=-1)
        ahead = torch.arange(length)[:, None] - torch.arange(length)
        near = (ahead >= 0) & (ahead < self.window)
        return F.scaled_dot_product_attention(q, k, v, attn_mask=near)


def cases(rng):
    for length in (1, 6):
        shape = (2, 3, length, 4)
        arrays = [
            torch.tensor(rng.standard_normal(shape), dtype=torch.float32, requires_grad=True)
            for _ in range(3)
        ]
        yield "attend", (*arrays, 2), {}
        yield "attend", (*arrays, 0), {}
        yield "scaled", tuple(arrays), {}
        yield "Block(4, 3)", (arrays[0][0].detach(),), {}
