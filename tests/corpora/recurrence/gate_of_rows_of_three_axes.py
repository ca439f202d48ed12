# expect: ASC101 safe scope=Gated.forward
import numpy as np
import torch
from torch import nn


class Gated(nn.Module):
    def __init__(self, width: int) -> None:
        super().__init__()
        self.gate = nn.Linear(width, width)

    def forward(self, xs):
        h = torch.zeros(xs.size(1), xs.size(2), device=xs.device)
        kept = []
        for x in xs:
            g = torch.sigmoid(self.gate(x))
            h = g * h + (1 - g) * x
            kept.append(h)
        return torch.stack(kept, 0)


def cases(rng: np.random.Generator):
    def tensor(*shape: int) -> torch.Tensor:
        return torch.from_numpy(rng.uniform(0.1, 0.9, shape).astype(np.float32)).requires_grad_()

    for length in (1, 6):
        yield "Gated(3)", (tensor(length, 2, 3),), {}
