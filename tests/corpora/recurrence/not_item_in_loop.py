# refuse: .item() leaves tensor arithmetic: doubles without gradient
import torch


def running_loss(losses, momentum=0.9):
    average = 0.0
    log = []
    for loss in losses:
        average = momentum * average + (1 - momentum) * loss.item()
        log.append(average)
    return log


def cases(rng):
    losses = torch.tensor(rng.random(30), dtype=torch.float32, requires_grad=True)
    yield "running_loss", (losses,), {}
