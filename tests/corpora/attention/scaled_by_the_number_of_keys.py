# expect: ASC109 safe scope=attend
import torch


def attend(q, k, v):
    s = q @ k.transpose(-1, -2)
    s = s / s.shape[-1] ** 0.5
    return s.softmax(-1) @ v


def cases(rng):
    def draw(*shape):
        return torch.tensor(rng.standard_normal(shape), dtype=torch.float32).requires_grad_()

    for length in (1, 5):
        yield "attend", (draw(2, 3, 4), draw(2, length, 4), draw(2, length, 6)), {}
