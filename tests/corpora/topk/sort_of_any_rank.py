# expect: ASC110 safe scope=worst_losses
import math

import torch


def worst_losses(losses: torch.Tensor):
    """The cut axis is the sorted one for one axis only."""
    return torch.sort(losses, descending=True)[0][:5]


def cases(rng):
    for shape in ((9,), (3,), (7, 9), (2, 3, 4)):
        yield (
            "worst_losses",
            (torch.tensor(rng.permutation(math.prod(shape)).reshape(shape) / 8),),
            {},
        )
