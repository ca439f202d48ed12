# refuse: the weights meet a second array
import torch


def f(q, k, v, rv):
    w = torch.softmax(q @ k.transpose(-2, -1), -1)
    return w @ v + torch.einsum("bij,ijd->bid", w, rv)


def cases(rng):
    def draw(*shape):
        return torch.tensor(rng.standard_normal(shape), dtype=torch.float32).requires_grad_()

    yield (
        "f",
        (
            draw(2, 5, 4),
            draw(2, 7, 4),
            draw(2, 7, 4),
            draw(5, 7, 4),
        ),
        {},
    )
