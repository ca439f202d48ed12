# expect: LOC303 advice scope=filtered
import torch


def filtered(x: torch.Tensor, weight: torch.Tensor, bias: torch.Tensor):
    """Nothing says whether there is a bias for each channel or one for all."""
    count, channels, length = x.shape
    filters, _, size = weight.shape
    y = torch.zeros(count, filters, length - size + 1, dtype=x.dtype)
    for t in range(length - size + 1):
        window = x[:, :, t : t + size]
        y[:, :, t] = torch.einsum("nck,ock->no", window, weight) + bias
    return y


def cases(rng):
    for bias in (torch.randn(3), torch.tensor(0.5)):
        yield "filtered", (torch.randn(2, 2, 7), torch.randn(3, 2, 3), bias), {}
    yield "filtered", (torch.randn(1, 1, 1), torch.randn(1, 1, 1), torch.randn(1)), {}
