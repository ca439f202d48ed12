# refuse: weights are cut and divided again
import torch


def f(q, k, v, keep):
    w = torch.softmax(q @ k.transpose(-2, -1), dim=-1) * keep
    w = w / (w.sum(-1, keepdim=True) + 1e-6)
    return w @ v


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
            keep(2, 5, 7),
        ),
        {},
    )
