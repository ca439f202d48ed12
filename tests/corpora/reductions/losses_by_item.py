# expect: ASC106 safe scope=epoch_loss
import torch


def epoch_loss(losses: torch.Tensor):
    total = 0.0
    for i in range(len(losses)):
        total += losses[i].item()
    return total / max(len(losses), 1)


def cases(rng):
    for n in (0, 1, 9, 300):
        yield (
            "epoch_loss",
            (torch.tensor(rng.random(n), dtype=torch.float32, requires_grad=True),),
            {},
        )
