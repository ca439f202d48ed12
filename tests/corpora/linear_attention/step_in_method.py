# expect: ASC103 safe scope=Cell.forward
import torch
from torch import nn


class Cell(nn.Module):
    def __init__(self, width):
        super().__init__()
        self.to_qkv = nn.Linear(width, 3 * width)
        self.decay = nn.Parameter(torch.full((width,), 0.9))

    def step(self, S, q, k, v):
        S = self.decay[:, None] * S + k[:, :, None] * v[:, None, :]
        return S, (q[:, :, None] * S).sum(1)

    def forward(self, x):
        b, t, c = x.shape
        q, k, v = self.to_qkv(x).chunk(3, dim=-1)
        S = torch.zeros(b, c, c)
        ys = []
        for i in range(t):
            S, y = self.step(S, q[:, i], k[:, i], v[:, i])
            ys.append(y)
        return torch.stack(ys, dim=1)


def cases(rng):
    draw = lambda *s: torch.tensor(rng.standard_normal(s), dtype=torch.float32).requires_grad_()
    for b, l in ((1, 1), (2, 9)):
        yield "Cell(4)", (draw(b, l, 4),), {}
