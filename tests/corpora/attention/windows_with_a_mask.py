# expect: ASC109 safe scope=WindowAttention.forward
import torch
import torch.nn as nn


class WindowAttention(nn.Module):
    def __init__(self, dim, window, heads):
        super().__init__()
        self.num_heads = heads
        self.scale = (dim // heads) ** -0.5
        self.table = nn.Parameter(torch.randn((2 * window - 1) ** 2, heads))
        c = torch.stack(
            torch.meshgrid(torch.arange(window), torch.arange(window), indexing="ij")
        ).flatten(1)
        rel = (c[:, :, None] - c[:, None, :]).permute(1, 2, 0) + window - 1
        self.register_buffer("index", rel[:, :, 0] * (2 * window - 1) + rel[:, :, 1])
        self.qkv = nn.Linear(dim, dim * 3)
        self.proj = nn.Linear(dim, dim)
        self.softmax = nn.Softmax(dim=-1)

    def forward(self, x, mask=None):
        B_, N, C = x.shape
        qkv = self.qkv(x).reshape(B_, N, 3, self.num_heads, C // self.num_heads)
        q, k, v = qkv.permute(2, 0, 3, 1, 4)
        q = q * self.scale
        attn = q @ k.transpose(-2, -1)
        bias = self.table[self.index.view(-1)].view(N, N, -1)
        bias = bias.permute(2, 0, 1).contiguous()
        attn = attn + bias.unsqueeze(0)
        if mask is not None:
            nW = mask.shape[0]
            attn = attn.view(B_ // nW, nW, self.num_heads, N, N) + mask.unsqueeze(1).unsqueeze(0)
            attn = attn.view(-1, self.num_heads, N, N)
            attn = self.softmax(attn)
        else:
            attn = self.softmax(attn)
        x = (attn @ v).transpose(1, 2).reshape(B_, N, C)
        return self.proj(x)


def cases(rng):
    for window, windows, images in ((2, 2, 2), (3, 1, 1), (1, 3, 1)):
        x = torch.tensor(
            rng.standard_normal((windows * images, window**2, 8)),
            dtype=torch.float32,
            requires_grad=True,
        )
        mask = torch.tensor(
            rng.standard_normal((windows, window**2, window**2)), dtype=torch.float32
        )
        yield f"WindowAttention(8, {window}, 2)", (x,), {}
        yield f"WindowAttention(8, {window}, 2)", (x, mask), {}
