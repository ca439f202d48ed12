# refuse: the fill is too small
import torch


def f(q, k, v, mask):
    s = (q @ k.transpose(-2, -1)).masked_fill(mask, -10.0)
    return torch.softmax(s, -1) @ v


def cases(rng):
    def draw(*shape):
        return torch.tensor(rng.standard_normal(shape), dtype=torch.float32).requires_grad_()

    def keep(*shape):
        found = torch.tensor(rng.random(shape) < 0.6)
        found[..., 0] = True
        return found

    yield (
        "f",
        (
            draw(2, 5, 4),
            draw(2, 7, 4),
            draw(2, 7, 4),
            ~keep(5, 7),
        ),
        {},
    )
