# expect: ASC109 safe scope=shifted
# expect: ASC109 safe scope=Shifted.forward
import torch


def shifted(q, k, v, b: float):
    s = q @ k.mT + b
    return s.softmax(-1) @ v


class Shifted(torch.nn.Module):
    def __init__(self):
        super().__init__()
        self.width = 4

    def forward(self, q, k, v):
        s = torch.bmm(q, k.transpose(1, 2)) - self.width**0.5
        return s.softmax(-1) @ v


def cases(rng):
    draw = lambda: torch.tensor(rng.normal(size=(2, 5, 4)), dtype=torch.float32).requires_grad_()
    yield "shifted", (draw(), draw(), draw(), 0.5), {}
    yield "shifted", (draw(), draw(), draw(), 1), {}
    yield "Shifted()", (draw(), draw(), draw()), {}
