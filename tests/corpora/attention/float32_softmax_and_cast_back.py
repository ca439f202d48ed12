# expect: ASC109 safe scope=eager_forward
import torch
from torch import nn


def eager_forward(query, key, value, attention_mask, scaling):
    weights = torch.matmul(query, key.transpose(2, 3)) * scaling
    if attention_mask is not None:
        weights = weights + attention_mask[:, :, :, : key.shape[-2]]
    weights = nn.functional.softmax(weights, dim=-1, dtype=torch.float32).to(query.dtype)
    output = torch.matmul(weights, value)
    return output.transpose(1, 2).contiguous()


def cases(rng):
    draw = lambda *s: torch.tensor(rng.standard_normal(s), dtype=torch.float32).requires_grad_()
    q, k, v = draw(2, 3, 6, 4), draw(2, 3, 9, 4), draw(2, 3, 9, 4)
    mask = torch.zeros(2, 1, 6, 12)
    mask[:, :, :, 5:] = torch.finfo(torch.float32).min
    yield "eager_forward", (q, k, v, None, 0.5), {}
    yield "eager_forward", (q, k, v, mask, 0.5), {}
