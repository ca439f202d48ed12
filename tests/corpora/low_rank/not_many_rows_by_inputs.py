# refuse: SEP202 the inputs have so many rows that the sum is cheaper
import torch


class Model(torch.nn.Module):
    def __init__(self, width):
        super().__init__()
        self.layer = torch.nn.Linear(width, width, bias=False)
        self.down = torch.nn.Parameter(torch.randn(2, width))
        self.up = torch.nn.Parameter(torch.randn(width, 2))

    def forward(self, x):
        return x @ (self.layer.weight + self.up @ self.down).T


def get_inputs():
    return [torch.randn(400, 24)]


def get_init_inputs():
    return [24]


def cases(rng):
    yield "Model(24)", (torch.randn(30, 24, requires_grad=True),), {}
