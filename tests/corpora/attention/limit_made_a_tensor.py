# expect: ASC109 safe scope=Attention.forward
import torch
from torch import nn


class Attention(nn.Module):
    def __init__(self):
        super().__init__()
        seen = torch.tril(torch.ones((16, 16), dtype=torch.bool)).view(1, 1, 16, 16)
        self.register_buffer("bias", seen, persistent=False)

    def forward(self, query, key, value):
        query = query.to(torch.float32)
        key = key.to(torch.float32)
        w = torch.matmul(query, key.transpose(-1, -2))
        ql, kl = query.size(-2), key.size(-2)
        causal_mask = self.bias[:, :, kl - ql : kl, :kl]
        mask_value = torch.finfo(w.dtype).min
        mask_value = torch.tensor(mask_value, dtype=w.dtype, device=w.device)
        w = torch.where(causal_mask, w, mask_value)
        w = nn.functional.softmax(w, dim=-1)
        w = w.to(value.dtype)
        return torch.matmul(w, value)


def cases(rng):
    def draw(*shape):
        return torch.tensor(rng.standard_normal(shape), dtype=torch.float32).requires_grad_()

    for length in (1, 5):
        operands = draw(2, 3, length, 4), draw(2, 3, 5, 4), draw(2, 3, 5, 4)
        yield "Attention()", operands, {}
        yield "Attention()", tuple(each.detach().bfloat16() for each in operands), {}
