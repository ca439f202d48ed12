# expect: ASC109 safe scope=WindowAttention.forward
import torch
import torch.nn as nn


class WindowAttention(nn.Module):
    def __init__(self, dim, n, heads):
        super().__init__()
        self.num_heads = heads
        self.scale = (dim // heads) ** -0.5
        self.bias_table = nn.Parameter(torch.randn(n * n, heads))
        self.register_buffer("index", torch.arange(n * n).view(n, n))
        self.qkv = nn.Linear(dim, 3 * dim)
        self.softmax = nn.Softmax(dim=-1)
        self.proj = nn.Linear(dim, dim)

    def forward(self, x, mask=None):
        B_, N, C = x.shape
        qkv = (
            self.qkv(x)
            .reshape(B_, N, 3, self.num_heads, C // self.num_heads)
            .permute(2, 0, 3, 1, 4)
        )
        q, k, v = qkv[0], qkv[1], qkv[2]
        q = q * self.scale
        attn = q @ k.transpose(-2, -1)
        bias = self.bias_table[self.index.view(-1)].view(N, N, -1).permute(2, 0, 1).contiguous()
        attn = attn + bias.unsqueeze(0)
        if mask is not None:
            nW = mask.shape[0]
            attn = attn.view(B_ // nW, nW, self.num_heads, N, N) + mask.unsqueeze(1).unsqueeze(0)
            attn = attn.view(-1, self.num_heads, N, N)
        attn = self.softmax(attn)
        x = (attn @ v).transpose(1, 2).reshape(B_, N, C)
        return self.proj(x)


def cases(rng):
    yield "WindowAttention(8, 5, 2)", (torch.randn(2, 5, 8, requires_grad=True),), {}
    yield (
        "WindowAttention(8, 5, 2)",
        (
            torch.randn(4, 5, 8, requires_grad=True),
            torch.randn(2, 5, 5),
        ),
        {},
    )
