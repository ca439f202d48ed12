# expect: RED509 unsafe scope=Ponder.forward
import torch
from torch import nn


class Ponder(nn.Module):
    """One answer a sample and a step: the state has two axes, which nothing here says."""

    def __init__(self, inputs: int, width: int):
        super().__init__()
        self.cell = nn.GRUCell(inputs, width)
        self.answer = nn.Linear(width, 1)

    def forward(self, x: torch.Tensor, steps: int):
        h = x.new_zeros((x.shape[0], self.answer.in_features))
        h = self.cell(x, h)
        answers = []
        for _ in range(steps):
            answers.append(self.answer(h)[:, 0])
            h = self.cell(x, h)
        return torch.stack(answers)


def cases(rng):
    yield "Ponder(3, 5)", (torch.randn(4, 3), 2), {}
    yield "Ponder(2, 1)", (torch.randn(1, 2, requires_grad=True), 1), {}
