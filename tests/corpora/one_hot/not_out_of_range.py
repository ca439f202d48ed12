# refuse: SPA401 a label out of range is a row of zeros
import torch


def looked_up(labels: torch.Tensor, table: torch.Tensor):
    classes, width = table.shape
    (count,) = labels.shape
    chosen = (labels[:, None] == torch.arange(classes)).float()
    return chosen @ table


def cases(rng):
    yield "looked_up", (torch.tensor([0, -1, 2]), torch.randn(3, 4)), {}
