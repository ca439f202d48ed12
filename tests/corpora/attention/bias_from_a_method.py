# expect: ASC109 safe scope=WindowAttention.forward
import torch
from torch import nn


class WindowAttention(nn.Module):
    def __init__(self, dim, n, num_heads):
        super().__init__()
        self.num_heads = num_heads
        self.n = n
        self.scale = (dim // num_heads) ** -0.5
        self.table = nn.Parameter(torch.randn(2 * n - 1, num_heads))
        i = torch.arange(n)
        self.register_buffer("index", i[:, None] - i[None, :] + n - 1)
        self.qkv = nn.Linear(dim, dim * 3)
        self.softmax = nn.Softmax(dim=-1)

    def _get_rel_pos_bias(self) -> torch.Tensor:
        bias = self.table[self.index.view(-1)].view(self.n, self.n, -1)
        return bias.permute(2, 0, 1).contiguous().unsqueeze(0)

    def forward(self, x):
        B_, N, C = x.shape
        qkv = self.qkv(x).reshape(B_, N, 3, self.num_heads, -1).permute(2, 0, 3, 1, 4)
        q, k, v = qkv.unbind(0)
        q = q * self.scale
        attn = q @ k.transpose(-2, -1)
        attn = attn + self._get_rel_pos_bias()
        attn = self.softmax(attn)
        x = attn @ v
        return x.transpose(1, 2).reshape(B_, N, -1)


def cases(rng):
    def draw(*shape):
        return torch.tensor(rng.standard_normal(shape), dtype=torch.float32).requires_grad_()

    yield "WindowAttention(8, 6, 2)", (draw(4, 6, 8),), {}
