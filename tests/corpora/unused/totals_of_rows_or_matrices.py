# expect: RED509 safe|unsafe scope=total
import torch


def total(a: torch.Tensor, b: torch.Tensor):
    return (a[0] @ b[0]).sum()


def cases(rng):
    a, b = torch.tensor(rng.normal(size=(2, 4, 3, 3)), requires_grad=True).unbind()
    yield "total", (a, b), {}
