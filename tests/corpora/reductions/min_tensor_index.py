# expect: ASC106 safe scope=lowest_loss
import torch


def lowest_loss(losses: torch.Tensor) -> torch.Tensor:
    lowest = losses[0]
    for epoch in range(1, losses.shape[0]):
        if losses[epoch] < lowest:
            lowest = losses[epoch]
    return lowest


def cases(rng):
    for n in (1, 2, 45):
        yield "lowest_loss", (torch.tensor(rng.permutation(n) / 7.0),), {}
