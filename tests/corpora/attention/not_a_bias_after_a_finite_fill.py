# refuse: where everything is hidden the bias still counts
import torch


def attend(q, k, v, mask, bias):
    s = q @ k.transpose(-1, -2)
    s = s.masked_fill(mask == 0, -3.0)
    s = s + bias
    return s.softmax(-1) @ v


def between(q, k, v, mask, bias):
    s = q @ k.transpose(-1, -2) + bias
    s = s.masked_fill(mask == 0, -3.0) + bias
    return s.softmax(-1) @ v


def cases(rng):
    def draw(*shape):
        return torch.tensor(rng.standard_normal(shape), dtype=torch.float32).requires_grad_()

    keep = torch.tensor([[1] * 7, [0] * 7])[:, None, None]
    operands = draw(2, 3, 5, 4), draw(2, 3, 7, 4), draw(2, 3, 7, 4)
    for name in ("attend", "between"):
        yield name, (*operands, keep, draw(3, 5, 7)), {}
