# refuse: the denominator has one more
import torch


def f(q, k, v):
    e = torch.exp(q @ k.transpose(-2, -1))
    w = e / (1 + e.sum(-1, keepdim=True))
    return w @ v


def cases(rng):
    def draw(*shape):
        return torch.tensor(rng.standard_normal(shape), dtype=torch.float32).requires_grad_()

    yield (
        "f",
        (
            draw(2, 3, 5, 4),
            draw(2, 3, 7, 4),
            draw(2, 3, 7, 4),
        ),
        {},
    )
