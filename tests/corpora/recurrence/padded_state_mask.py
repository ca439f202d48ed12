# expect: ASC101 safe scope=MaskedMemory.forward
import torch
from torch import nn


class MaskedMemory(nn.Module):
    """Steps where the mask is zero leave the state as it was."""

    def __init__(self, dim):
        super().__init__()
        self.keep = nn.Parameter(torch.rand(dim))

    def forward(self, x, mask):
        h = x.new_zeros(x.shape[0], x.shape[2])
        outputs = []
        for t in range(x.shape[1]):
            m = mask[:, t].unsqueeze(-1)
            proposed = self.keep * h + x[:, t]
            h = m * proposed + (1 - m) * h
            outputs.append(h)
        return torch.stack(outputs, 1), h


def cases(rng):
    for B, T in ((1, 1), (3, 24)):
        x = torch.tensor(rng.standard_normal((B, T, 4)), dtype=torch.float32)
        mask = torch.tensor(rng.random((B, T)) < 0.7).float()
        yield "MaskedMemory(4)", (x.requires_grad_(), mask), {}
