# expect: ASC109 safe scope=A.forward
import torch
import torch.nn.functional as F
from torch import nn


class A(nn.Module):
    def __init__(self, d):
        super().__init__()
        self.lin = nn.Linear(d, 3 * d)

    def make_mask(self, n, device):
        return torch.tril(torch.ones(n, n, device=device)).bool()

    def forward(self, x):
        q, k, v = self.lin(x).chunk(3, -1)
        keep = self.make_mask(x.shape[1], x.device)
        s = q @ k.transpose(1, 2) * x.shape[-1] ** -0.5
        s = s.masked_fill(keep.logical_not(), -1e9)
        return F.softmax(s, -1) @ v


def cases(rng):
    def draw(*shape):
        return torch.tensor(rng.standard_normal(shape), dtype=torch.float32).requires_grad_()

    yield "A(6)", (draw(2, 5, 6),), {}
