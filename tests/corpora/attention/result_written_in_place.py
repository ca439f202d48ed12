# expect: ASC109 safe scope=f
import torch


def f(q, k, v):
    out = torch.softmax(q @ k.transpose(-2, -1), -1) @ v
    out.add_(1)
    return out


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
