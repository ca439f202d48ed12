# expect: ASC106 safe scope=ScalarMix.forward
import torch
from torch import nn


class ScalarMix(nn.Module):
    """A learned mixture of the layers of an encoder, stacked as (layers, batch, time, dim)."""

    def __init__(self, n_layers: int):
        super().__init__()
        self.logits = nn.Parameter(torch.zeros(n_layers))
        self.scale = nn.Parameter(torch.ones(1))

    def forward(self, layers: torch.Tensor) -> torch.Tensor:
        w = self.logits.softmax(dim=0)
        mixed = torch.zeros_like(layers[0])
        for i in range(layers.shape[0]):
            mixed += w[i] * layers[i]
        return self.scale * mixed


def cases(rng):
    for n in (1, 5):
        layers = torch.tensor(rng.standard_normal((n, 2, 3, 4)), dtype=torch.float32)
        yield f"ScalarMix({n})", (layers.requires_grad_(),), {}
