# expect: RED509 safe scope=Model.forward
import torch


class Model(torch.nn.Module):
    def forward(self, a, b):
        return torch.diag(a @ b.T)


def get_inputs():
    return [torch.randn(6, 4), torch.randn(6, 4)]


def cases(rng):
    for rows in (6, 1):
        yield "Model()", (torch.randn(rows, 4, requires_grad=True), torch.randn(rows, 4)), {}
