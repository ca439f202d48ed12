# expect: RED505 safe scope=medians
import torch


def medians(x: torch.Tensor):
    rows, columns = x.shape
    ordered, _ = torch.sort(x, dim=1)
    return ordered[:, columns // 2]


def cases(rng):
    yield "medians", (torch.randn(3, 6, requires_grad=True),), {}
    yield "medians", (torch.randn(2, 1),), {}
    yield "medians", (torch.tensor([[3, 1, 2]]),), {}
