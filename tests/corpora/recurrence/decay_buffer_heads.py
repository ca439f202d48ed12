# expect: ASC101 safe scope=DecayPool.forward
import torch
from torch import nn


class DecayPool(nn.Module):
    """Each head pools the past with its own fixed half-life."""

    def __init__(self, dim, heads):
        super().__init__()
        self.heads = heads
        self.value = nn.Linear(dim, dim, bias=False)
        half_life = 2.0 ** torch.arange(1, heads + 1)
        self.register_buffer("gamma", 0.5 ** (1 / half_life))

    def forward(self, x):
        B, T, D = x.size()
        v = self.value(x).view(B, T, self.heads, D // self.heads).transpose(1, 2)
        gamma = self.gamma.view(1, -1, 1)
        memory = torch.zeros(B, self.heads, D // self.heads).to(v)
        pooled = torch.zeros_like(v)
        for pos in range(T):
            memory = gamma * memory + v[:, :, pos, :]
            pooled[:, :, pos, :] = memory
        return pooled.transpose(1, 2).reshape(B, T, D)


def cases(rng):
    for B, T in ((1, 1), (2, 30)):
        x = torch.tensor(rng.standard_normal((B, T, 8)), dtype=torch.float32)
        yield "DecayPool(8, 4)", (x.requires_grad_(),), {}
