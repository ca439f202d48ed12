# refuse: a mask before a negative scale keeps the masked
import torch


def f(q, k, v, mask):
    s = (q @ k.transpose(-2, -1)).masked_fill(mask, float("-inf"))
    return torch.softmax(-s, -1) @ v


def cases(rng):
    def draw(*shape):
        return torch.tensor(rng.standard_normal(shape), dtype=torch.float32).requires_grad_()

    yield (
        "f",
        (
            draw(2, 5, 4),
            draw(2, 7, 4),
            draw(2, 7, 4),
            torch.zeros(5, 7, dtype=torch.bool),
        ),
        {},
    )
