# expect: ASC109 safe scope=ViTAttention.forward
import torch
from torch import nn


class ViTAttention(nn.Module):
    def __init__(self, dim, num_heads):
        super().__init__()
        self.num_heads = num_heads
        self.scale = (dim // num_heads) ** -0.5
        self.qkv = nn.Linear(dim, dim * 3)
        self.attend = nn.Softmax(dim=-1)
        self.proj = nn.Linear(dim, dim)

    def forward(self, x):
        B, N, C = x.shape
        qkv = self.qkv(x).reshape(B, N, 3, self.num_heads, C // self.num_heads)
        q, k, v = qkv.permute(2, 0, 3, 1, 4).unbind(0)
        dots = (q @ k.transpose(-2, -1)) * self.scale
        attn = self.attend(dots)
        x = (attn @ v).transpose(1, 2).reshape(B, N, C)
        return self.proj(x)


def cases(rng):
    for n in (1, 10):
        x = torch.tensor(rng.standard_normal((2, n, 8)), dtype=torch.float32)
        yield "ViTAttention(8, 2)", (x.requires_grad_(),), {}
