# expect: ASC109 safe scope=CrossAttention.forward
import torch
from torch import nn


class CrossAttention(nn.Module):
    """Heads are folded into the batch; keys and values come from another sequence."""

    def __init__(self, dim, context_dim, heads):
        super().__init__()
        self.heads = heads
        self.scale = (dim // heads) ** -0.5
        self.to_q = nn.Linear(dim, dim, bias=False)
        self.to_kv = nn.Linear(context_dim, 2 * dim, bias=False)

    def fold(self, t):
        b, n, d = t.shape
        t = t.reshape(b, n, self.heads, d // self.heads).permute(0, 2, 1, 3)
        return t.reshape(b * self.heads, n, d // self.heads)

    def forward(self, x, context):
        b, n, d = x.shape
        q = self.fold(self.to_q(x))
        k, v = self.to_kv(context).chunk(2, dim=-1)
        k, v = self.fold(k), self.fold(v)
        scores = torch.bmm(q, k.transpose(1, 2)) * self.scale
        probs = scores.softmax(dim=-1)
        out = torch.bmm(probs, v)
        out = out.reshape(b, self.heads, n, d // self.heads).permute(0, 2, 1, 3)
        return out.reshape(b, n, d)


def cases(rng):
    for n, m in ((1, 3), (9, 5)):
        x = torch.tensor(rng.standard_normal((2, n, 8)), dtype=torch.float32, requires_grad=True)
        context = torch.tensor(rng.standard_normal((2, m, 6)), dtype=torch.float32)
        yield "CrossAttention(8, 6, 2)", (x, context.requires_grad_()), {}
