# expect: ASC109 safe scope=SelfAttention.forward
import torch
from torch import nn


class SelfAttention(nn.Module):
    def __init__(self, dim):
        super().__init__()
        self.q, self.k, self.v = nn.Linear(dim, dim), nn.Linear(dim, dim), nn.Linear(dim, dim)
        self.dim = dim

    def forward(self, x):
        weights = torch.softmax(self.q(x) @ self.k(x).transpose(1, 2) / self.dim**0.5, dim=-1)
        return weights @ self.v(x)


def cases(rng):
    for shape in ((2, 5, 8), (1, 1, 2)):
        x = torch.tensor(rng.standard_normal(shape), dtype=torch.float32, requires_grad=True)
        yield f"SelfAttention({shape[-1]})", (x,), {}
