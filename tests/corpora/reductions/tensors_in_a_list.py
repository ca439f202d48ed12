# expect: ASC106 safe scope=mean_loss
import torch


def mean_loss(losses: list[torch.Tensor]):
    total = 0
    for loss in losses:
        total = total + loss
    return total / len(losses)


def cases(rng):
    yield "mean_loss", ([torch.tensor(1.0), torch.tensor(2.0)],), {}
