# expect: ASC109 safe scope=HeadByHead.forward
import torch
from torch import nn


class HeadByHead(nn.Module):
    def __init__(self, dim, heads):
        super().__init__()
        self.heads = heads
        self.dh = dim // heads
        self.q, self.k, self.v = (nn.Linear(dim, dim) for _ in range(3))
        self.out = nn.Linear(dim, dim)

    def forward(self, x):
        q, k, v = self.q(x), self.k(x), self.v(x)
        collected = []
        for h in range(self.heads):
            cols = slice(h * self.dh, (h + 1) * self.dh)
            score = torch.bmm(q[:, :, cols], k[:, :, cols].transpose(1, 2)) / self.dh**0.5
            collected.append(torch.bmm(torch.softmax(score, dim=-1), v[:, :, cols]))
        return self.out(torch.cat(collected, dim=-1))


def cases(rng):
    for n in (1, 9):
        x = torch.tensor(rng.standard_normal((2, n, 6)), dtype=torch.float32)
        yield "HeadByHead(6, 2)", (x.requires_grad_(),), {}
