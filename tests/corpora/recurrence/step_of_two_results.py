# expect: ASC101 safe scope=Layer.forward
import torch
import torch.nn as nn


class Cell(nn.Module):
    def __init__(self, width):
        super().__init__()
        self.decay = nn.Parameter(torch.rand(width))
        self.inner = nn.Linear(width, width)

    def step(self, x, state):
        state = self.decay * state + self.inner(x)
        return torch.relu(state), state


class Layer(nn.Module):
    def __init__(self, width):
        super().__init__()
        self.cell = Cell(width)

    def forward(self, inputs, state):
        outs = []
        for x in inputs.unbind(0):
            out, state = self.cell.step(x, state)
            outs.append(out)
        return torch.stack(outs), state


def cases(rng):
    draw = lambda *s: torch.tensor(rng.random(s), dtype=torch.float32)
    yield "Layer(3)", (draw(5, 2, 3), draw(2, 3)), {}
    yield "Layer(3)", (draw(1, 3), draw(3)), {}
