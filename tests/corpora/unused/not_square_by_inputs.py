# expect: RED509 unsafe scope=Model.forward
import torch


class Model(torch.nn.Module):
    """The inputs are of two lengths."""

    def forward(self, a, b):
        return torch.diag(a @ b.T)


def get_inputs():
    return [torch.randn(6, 4), torch.randn(5, 4)]


def cases(rng):
    yield "Model()", tuple(get_inputs()), {}
