# expect: SPA401 safe scope=prototypes
import torch


def prototypes(labels: torch.Tensor, centres: torch.Tensor):
    classes, width = centres.shape
    (count,) = labels.shape
    selection = torch.eye(classes, device=centres.device)[labels]
    return selection.mm(centres)


def cases(rng):
    yield "prototypes", (torch.tensor([0, 2, 2]), torch.randn(3, 4, requires_grad=True)), {}
    yield "prototypes", (torch.tensor([-1]), torch.randn(2, 1)), {}
