# expect: ASC110 safe scope=hardest_losses
import torch


def hardest_losses(losses):
    """Mean of the 16 largest losses of a batch (fewer where the batch is smaller)."""
    ranked, _ = torch.sort(losses, descending=True)
    return ranked[:16].mean()


def cases(rng):
    for n in (1, 7, 16, 200):
        losses = torch.tensor(rng.permutation(n), dtype=torch.float32, requires_grad=True)
        yield "hardest_losses", (losses,), {}
