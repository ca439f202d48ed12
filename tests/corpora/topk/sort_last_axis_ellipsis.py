# expect: ASC110 safe scope=KMaxPool.forward
from torch import nn


class KMaxPool(nn.Module):
    """Keeps the three strongest activations of each channel, strongest first."""

    def forward(self, x):
        return x.sort(dim=-1, descending=True).values[..., :3]


def cases(rng):
    import torch

    for n in (2, 3, 50):
        x = torch.tensor(rng.permutation(2 * 4 * n).reshape(2, 4, n), dtype=torch.float32)
        yield "KMaxPool()", (x.requires_grad_(),), {}
