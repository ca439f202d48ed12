# refuse: the mask is made of the scores
import torch


def f(q, k, v, n: int = 3):
    s = q @ k.transpose(-2, -1)
    kth = s.topk(n, -1).values[..., -1:]
    s = s.masked_fill(s < kth, float("-inf"))
    return torch.softmax(s, -1) @ v


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
