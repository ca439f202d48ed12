# expect: ASC108 safe scope=LayerNorm2d.forward
# expect: ASC108 safe scope=ChannelNorm.forward
import torch
from torch import nn


class LayerNorm2d(nn.Module):
    def __init__(self, channels, eps=1e-6):
        super().__init__()
        self.weight = nn.Parameter(torch.ones(channels))
        self.bias = nn.Parameter(torch.zeros(channels))
        self.eps = eps

    def forward(self, x):
        u = x.mean(1, keepdim=True)
        s = (x - u).pow(2).mean(1, keepdim=True)
        x = (x - u) / torch.sqrt(s + self.eps)
        return self.weight[:, None, None] * x + self.bias[:, None, None]


class ChannelNorm(nn.Module):
    def __init__(self, dim, eps=1e-5):
        super().__init__()
        self.eps = eps
        self.g = nn.Parameter(torch.ones(1, dim, 1, 1))
        self.b = nn.Parameter(torch.zeros(1, dim, 1, 1))

    def forward(self, x):
        var = torch.var(x, dim=1, unbiased=False, keepdim=True)
        mean = torch.mean(x, dim=1, keepdim=True)
        return (x - mean) / (var + self.eps).sqrt() * self.g + self.b


def cases(rng):
    for shape in ((2, 6, 3, 4), (1, 3, 1, 2)):
        x = torch.tensor(rng.normal(size=shape) + 1, dtype=torch.float32, requires_grad=True)
        yield f"LayerNorm2d({shape[1]})", (x,), {}
        yield f"ChannelNorm({shape[1]})", (x,), {}
