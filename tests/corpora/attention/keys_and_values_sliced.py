# expect: ASC109 safe scope=f
import torch


def f(q, k, v):
    w = torch.softmax(q @ k[:, :4].transpose(-2, -1), -1)
    return w @ v[:, 1:5]


def cases(rng):
    def draw(*shape):
        return torch.tensor(rng.standard_normal(shape), dtype=torch.float32).requires_grad_()

    yield (
        "f",
        (
            draw(2, 5, 4),
            draw(2, 7, 4),
            draw(2, 7, 4),
        ),
        {},
    )
