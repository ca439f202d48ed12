# refuse: the values are written in between
import torch


def f(q, k, v):
    w = torch.softmax(q @ k.transpose(-2, -1), -1)
    v[:, 0] = 0
    return w @ v


def cases(rng):
    def draw(*shape):
        return torch.tensor(rng.standard_normal(shape), dtype=torch.float32).requires_grad_()

    yield (
        "f",
        (
            draw(2, 5, 4).detach(),
            draw(2, 7, 4).detach(),
            draw(2, 7, 4).detach(),
        ),
        {},
    )
