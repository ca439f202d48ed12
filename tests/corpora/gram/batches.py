# expect: SYM602 safe scope=style

import torch


def style(features: torch.Tensor):
    batch, channels, places = features.shape
    grams = torch.zeros(batch, channels, channels)
    for b in range(batch):
        for c in range(channels):
            for d in range(c + 1):
                value = (features[b, c] * features[b, d]).sum() / (channels * places)
                grams[b, c, d] = value
                if c != d:
                    grams[b, d, c] = value
    return grams


def cases(rng):
    import torch

    yield "style", (torch.randn(2, 3, 5, requires_grad=True),), {}
    yield "style", (torch.randn(1, 1, 4),), {}
    yield "style", (torch.randn(3, 4, 2).transpose(0, 1),), {}
