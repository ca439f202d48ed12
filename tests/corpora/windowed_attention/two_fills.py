# expect: LOC304 safe scope=Sliding.forward
# the window is masked after the future, with a number instead of infinity
import torch
from torch import nn


class Sliding(nn.Module):
    def __init__(self, heads, width, window):
        super().__init__()
        self.heads, self.window = heads, window
        self.project = nn.Linear(width, 3 * width, bias=False)

    def forward(self, x):
        b, t, c = x.shape
        q, k, v = self.project(x).view(b, t, 3, self.heads, c // self.heads).permute(2, 0, 3, 1, 4)
        scores = q @ k.transpose(-2, -1) * (c // self.heads) ** -0.5
        pos = torch.arange(t, device=x.device)
        scores = scores.masked_fill(pos[None, :] > pos[:, None], -1e9)
        scores = scores.masked_fill(pos[:, None] - pos[None, :] > self.window, -1e9)
        y = scores.softmax(-1) @ v
        return y.transpose(1, 2).reshape(b, t, c)


def cases(rng):
    draw = lambda *s: torch.tensor(rng.standard_normal(s), dtype=torch.float32).requires_grad_()
    for length in (1, 2, 11, 170):
        yield "Sliding(2, 8, 4)", (draw(2, length, 8),), {}
    yield "Sliding(2, 8, -2)", (draw(2, 9, 8),), {}
