# expect: ASC109 safe scope=SelfAttention.forward
# expect: ASC109 safe scope=attend
# expect: ASC109 safe scope=Windows.forward
import torch
from torch import nn


class SelfAttention(nn.Module):
    """Sequences first; batches and heads are one axis but where padding is masked."""

    def __init__(self, width, heads):
        super().__init__()
        self.heads = heads
        self.head_width = width // heads
        self.q = nn.Linear(width, width)
        self.k = nn.Linear(width, width)
        self.v = nn.Linear(width, width)

    def forward(self, x, memory, padding=None):
        n, b, width = x.size()
        m = memory.size(0)
        q = self.q(x) / torch.sqrt(torch.tensor(self.head_width))
        q = q.contiguous().view(n, b * self.heads, self.head_width).transpose(0, 1)
        k = self.k(memory).contiguous().view(m, b * self.heads, self.head_width).transpose(0, 1)
        v = self.v(memory).contiguous().view(m, b * self.heads, self.head_width).transpose(0, 1)
        w = torch.bmm(q, k.transpose(1, 2))
        if padding is not None:
            w = w.view(b, self.heads, n, m)
            w = w.masked_fill(padding.unsqueeze(1).unsqueeze(2), float("-inf"))
            w = w.view(b * self.heads, n, m)
        w = torch.softmax(w, dim=-1)
        return torch.bmm(w, v).transpose(0, 1).contiguous().view(n, b, width)


def attend(q, k, v, padding, heads: int):
    groups, n, d = q.shape
    m = k.shape[1]
    b = groups // heads
    w = torch.bmm(q, k.transpose(1, 2))
    w = w / torch.sqrt(torch.tensor(q.shape[-1], dtype=w.dtype))
    w = torch.where(padding[:, None, None, :], float("-inf"), w.view(b, heads, n, m))
    return torch.bmm(w.view(b * heads, n, m).softmax(-1), v)


class Windows(nn.Module):
    """Windows of an image are one axis with the batch but where those at its edge are masked."""

    def __init__(self, width, heads):
        super().__init__()
        self.heads = heads
        self.qkv = nn.Linear(width, 3 * width)

    def forward(self, x, hidden):
        b, n, width = x.shape
        q, k, v = self.qkv(x).reshape(b, n, 3, self.heads, -1).permute(2, 0, 3, 1, 4)
        windows = hidden.shape[0]
        w = q @ k.transpose(-2, -1) * (width // self.heads) ** -0.5
        w = w.view(b // windows, windows, self.heads, n, n)
        w = w.masked_fill(hidden[None, :, None], -100000.0).view(b, self.heads, n, n)
        return (w.softmax(-1) @ v).transpose(1, 2).reshape(b, n, width)


def cases(rng):
    def made(*sizes):
        return torch.tensor(rng.standard_normal(sizes), dtype=torch.float32, requires_grad=True)

    padding = torch.tensor([[False] * 5, [False, True, False, True, True]])
    for n in (1, 4):
        yield "SelfAttention(6, 2)", (made(n, 2, 6), made(5, 2, 6)), {}
        yield "SelfAttention(6, 2)", (made(n, 2, 6), made(5, 2, 6), padding), {}
        yield "attend", (made(6, n, 4), made(6, 5, 4), made(6, 5, 2), padding[1:], 3), {}
        yield "attend", (made(6, n, 4), made(6, 5, 4), made(6, 5, 2), padding, 3), {}
    hidden = torch.tensor(rng.random((3, 4, 4)) < 0.5)
    yield "Windows(6, 2)", (made(6, 4, 6), hidden), {}
