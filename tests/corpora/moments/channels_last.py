# expect: ASC108 safe scope=LayerNorm2d.forward
# expect: ASC107 unsafe scope=viewed
# expect: ASC107 safe scope=reshaped
# expect: ASC107 safe scope=plain
import torch
from torch import nn


class LayerNorm2d(nn.Module):
    """Over the channels of images: the result is permuted back and used as it is."""

    def __init__(self, channels, eps=1e-6):
        super().__init__()
        self.weight = nn.Parameter(torch.ones(channels))
        self.bias = nn.Parameter(torch.zeros(channels))
        self.eps = eps

    def forward(self, x):
        x = x.permute(0, 2, 3, 1)
        m = x.mean(-1, keepdim=True)
        v = x.var(-1, keepdim=True, unbiased=False)
        x = self.weight * (x - m) / torch.sqrt(v + self.eps) + self.bias
        return x.permute(0, 3, 1, 2)


def viewed(x):
    y = x.transpose(1, 2)
    e = torch.exp(y - y.max(-1, keepdim=True)[0])
    p = e / e.sum(-1, keepdim=True)
    return p.transpose(1, 2).view(-1)


def reshaped(x):
    y = x.transpose(1, 2)
    e = torch.exp(y - y.max(-1, keepdim=True)[0])
    p = e / e.sum(-1, keepdim=True)
    return p.transpose(1, 2).reshape(x.shape[0], -1).sum(-1)


def plain(x):
    e = torch.exp(x - x.max(-1, keepdim=True)[0])
    p = e / e.sum(-1, keepdim=True)
    return p.view(-1)


def cases(rng):
    image = torch.tensor(rng.normal(size=(2, 3, 4, 5)), dtype=torch.float32)
    yield "LayerNorm2d(3)", (image,), {}
    for name in ("viewed", "reshaped", "plain"):
        rows = torch.tensor(rng.normal(size=(2, 3, 4)), dtype=torch.float32)
        yield name, (rows.requires_grad_(),), {}
