# expect: ASC103 safe scope=Memory.forward
import torch
from torch import nn


class Memory(nn.Module):
    """Corrected at a learned rate, one for all steps, from the last step to the first."""

    def __init__(self, width):
        super().__init__()
        self.keys = nn.Linear(width, width, bias=False)
        self.rate = nn.Parameter(torch.tensor(0.0))

    def forward(self, x, y):
        batch, length, width = x.shape
        k = nn.functional.normalize(self.keys(x), dim=-1)
        lr = torch.sigmoid(self.rate)
        memory = x.new_zeros(batch, width, width)
        read = []
        for t in range(length - 1, -1, -1):
            key = k[:, t].unsqueeze(-1)
            missing = y[:, t].unsqueeze(1) - key.transpose(1, 2) @ memory
            memory = memory + lr * key @ missing
            read.append((x[:, t].unsqueeze(1) @ memory).squeeze(1))
        read.reverse()
        return torch.stack(read, dim=1)


def cases(rng):
    draw = lambda *s: torch.tensor(rng.standard_normal(s), dtype=torch.float32).requires_grad_()
    for b, l in ((1, 1), (2, 7), (1, 40)):
        yield "Memory(4)", (draw(b, l, 4), draw(b, l, 4)), {}
